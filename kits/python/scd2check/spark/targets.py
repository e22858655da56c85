"""Functions that take a Spark session, as exercises and notebooks have them, served by their signature."""

from __future__ import annotations

import datetime as dt
import json
import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Optional

from scd2check.calling import Plan
from scd2check.setup import Setup
from scd2check.spark.session import SparkRun
from scd2check.spark.tables import batch_types, dimension_types, read_table, to_frame


def _contract(preset: str, key: str, more: Mapping[str, str]) -> dict[str, Any]:
    bounds = {"validFrom": "valid_from", "validTo": "valid_to", "isCurrent": "is_current"}
    return {"contract": preset, "key": f"{key} INTEGER", "tracked": "attr", **bounds, **more}


#: Seconds: a session comes up in ten, jars that have to be brought first take longer; a load takes one, on a cluster ten.
SLOW = {"timeouts": {"start": 300, "call": 120}}


class _TableTarget:
    """A function that changes a table. Each session has a table of its own, with the columns of the contract."""

    CAPABILITIES = SLOW

    def __init__(self, function: Callable[..., Any], run: SparkRun, offered: Sequence[str]) -> None:
        self.name = function.__name__
        self._plan = Plan(function, offered, f"function `{self.name}`")
        self._run = run
        self._table: Optional[str] = None
        self._setup: Optional[Setup] = None

    def start(self, setup: Setup) -> None:
        self._setup = setup
        try:
            self._run.begin()
            self._table = self._run.new_table()
            with self._run.stopwatch.timing("table"):
                self._run.create(self._table, dimension_types(setup), setup.dimension or [])
        except Exception:
            self._run.close()
            raise

    def read(self) -> list[dict[str, Any]]:
        assert self._table is not None
        with self._run.stopwatch.timing("read"):
            return read_table(self._run.session, self._table)

    def _call(self, given: Mapping[str, Any]) -> None:
        with self._run.stopwatch.timing("function"):
            self._plan.call({"spark": self._run.session, "table": self._table, **given})

    def close(self) -> None:
        self._run.close()


class QueryTarget(_TableTarget):
    """``apply_scd2(spark, dim_ident, src_values_sql, batch_date)``: a table, a query of the day's rows, and the day."""

    CAPABILITIES = {**SLOW, "beginsFromTable": True}
    OFFERED = ("spark", "table", "query", "as_of")
    CONTRACT = _contract("daily-merge", "nk", {})
    _VIEW = "scd2check_batch"

    def __init__(self, function: Callable[..., Any], run: SparkRun) -> None:
        super().__init__(function, run, self.OFFERED)

    def apply(self, rows: list[dict[str, Any]], as_of: Any) -> None:
        assert self._setup is not None
        with self._run.stopwatch.timing("batch"):
            frame = to_frame(self._run.session, rows, batch_types(self._setup.columns))
            frame.createOrReplaceTempView(self._VIEW)
        self._call({"query": f"SELECT * FROM {self._VIEW}", "as_of": _text(as_of)})


class StreamTarget(_TableTarget):
    """``upsert_scd2(spark, source_dir, table, checkpoint)``: each batch is one more file of JSON in the source folder, and
    the checkpoint is that of the session."""

    OFFERED = ("spark", "source_dir", "table", "checkpoint")
    CONTRACT = _contract("stream", "cust_key", {"changedAt": "change_ts TIMESTAMP"})

    def __init__(self, function: Callable[..., Any], run: SparkRun) -> None:
        super().__init__(function, run, self.OFFERED)
        self._sessions = 0
        self._files = 0

    def start(self, setup: Setup) -> None:
        super().start(setup)
        self._sessions += 1
        self._files = 0
        (self._own_folder() / "source").mkdir(parents=True)

    def apply(self, rows: list[dict[str, Any]], as_of: Any) -> None:
        folder = self._own_folder()
        self._files += 1
        with self._run.stopwatch.timing("batch"):
            write_json(folder / "source" / f"batch-{self._files:05d}.json", rows)
        self._call({"source_dir": str(folder / "source"), "checkpoint": str(folder / "checkpoint")})

    def _own_folder(self) -> Path:
        return Path(self._run.folder) / f"stream-{self._sessions}"


class FrameTarget:
    """``apply_scd2(state, extract, keys, as_of)`` over Spark frames. The first state is None."""

    CAPABILITIES = SLOW
    OFFERED = ("state", "rows", "keys", "as_of", "contract")

    def __init__(self, function: Callable[..., Any], run: SparkRun) -> None:
        self.name = function.__name__
        self._plan = Plan(function, self.OFFERED, f"function `{self.name}`")
        self._run = run
        self._setup: Optional[Setup] = None
        self._state: Any = None

    def start(self, setup: Setup) -> None:
        self._state = None
        spark = self._run.begin()
        self._setup = setup
        self._state = None if setup.dimension is None else to_frame(spark, setup.dimension, dimension_types(setup))

    def apply(self, rows: list[dict[str, Any]], as_of: Any) -> None:
        assert self._setup is not None
        extract = to_frame(self._run.session, rows, batch_types(self._setup.columns))
        given = {
            "state": self._state,
            "rows": extract,
            "keys": list(self._setup.keys),
            "as_of": as_of,
            "contract": self._setup.contract,
        }
        state = self._plan.call(given)
        if not hasattr(state, "localCheckpoint"):
            raise TypeError(f"`{self.name}` returned {type(state).__name__}; it has to return the new state, as a Spark frame")
        # Computed here and now: a plan that grew with every batch would be computed again in each later one.
        self._state = state.localCheckpoint()

    def read(self) -> Any:
        return [] if self._state is None else self._state

    def close(self) -> None:
        self._state = None
        self._run.close()


def write_json(path: Path, rows: Sequence[Mapping[str, Any]]) -> None:
    """One object a line, there at once and whole: a stream must not see half of it."""
    hidden = path.with_name(f".{path.name}")
    with hidden.open("w", encoding="utf-8") as file:
        for row in rows:
            file.write(json.dumps({name: _json(value) for name, value in row.items()}) + "\n")
    os.replace(hidden, path)


def _json(value: Any) -> Any:
    if isinstance(value, dt.datetime):
        return value.isoformat(timespec="microseconds") + "Z"
    return value if value is None or isinstance(value, (bool, int, float, str)) else str(value)


def _text(as_of: Any) -> str:
    """``2026-03-02``, or with its time of day where the contract has one."""
    return as_of.isoformat(sep=" ") if isinstance(as_of, dt.datetime) else as_of.isoformat()
