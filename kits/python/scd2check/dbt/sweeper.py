"""Takes away what the tests of a snapshot leave, when the process that ran them has ended, in whatever way.

That process may be killed in the middle of a load, so it cannot be the one to do it. What must be known, a password
perhaps, comes through standard input and not through arguments, which everybody can read.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Mapping
from typing import Any


class Sweeper:
    """A process in a group of its own, which waits for the end of this one."""

    def __init__(self, folder: str) -> None:
        self._child = subprocess.Popen(
            [sys.executable, __file__],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        self.leave({"folder": folder})

    def leave(self, leavings: Mapping[str, Any]) -> None:
        """One more thing that has to go."""
        assert self._child.stdin is not None
        self._child.stdin.write(json.dumps(leavings).encode() + b"\n")
        self._child.stdin.flush()

    def end(self) -> None:
        """Waits until all is gone."""
        assert self._child.stdin is not None
        self._child.stdin.close()
        try:
            self._child.wait(timeout=10)
        except subprocess.TimeoutExpired:
            pass  # It goes on by itself.


def main() -> None:
    for line in sys.stdin.read().splitlines():
        sweep(json.loads(line))


def sweep(leavings: Mapping[str, Any]) -> None:
    if "folder" in leavings:
        shutil.rmtree(leavings["folder"], ignore_errors=True)
    if "schema" in leavings:
        import psycopg2

        connection = psycopg2.connect(**leavings["connection"])
        connection.autocommit = True
        with connection.cursor() as cursor:
            if leavings["role"] is not None:
                cursor.execute(f"set role {leavings['role']}")
            cursor.execute(f"drop schema if exists {leavings['schema']} cascade")


if __name__ == "__main__":
    main()
