"""Where the time of a run on Spark goes: written when it ends, to the file that SCD2CHECK_SPARK_TIMES names."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager

VARIABLE = "SCD2CHECK_SPARK_TIMES"


class Stopwatch:
    """Calls and seconds by name."""

    def __init__(self) -> None:
        self._calls: dict[str, int] = {}
        self._seconds: dict[str, float] = {}

    @contextmanager
    def timing(self, what: str) -> Iterator[None]:
        started = time.perf_counter()
        try:
            yield
        finally:
            self._calls[what] = self._calls.get(what, 0) + 1
            self._seconds[what] = self._seconds.get(what, 0.0) + time.perf_counter() - started

    def write(self) -> None:
        path = os.environ.get(VARIABLE)
        if path:
            told = {what: {"calls": calls, "seconds": round(self._seconds[what], 3)} for what, calls in self._calls.items()}
            with open(path, "w", encoding="utf-8") as file:
                json.dump(told, file)
