"""A Spark session that another program drives: one JSON object a line in, one out. The harness runs SQL scripts so.

``{"op": "sql", "text", "query"}`` runs a statement; a query is run to its end, since Spark is lazy. ``create`` makes a table,
``fill`` adds rows to one, ``view`` makes a temporary view of rows, ``read`` gives every row of a table as texts, ``exists``
says whether there is one, ``columns`` which it has, ``begin`` a session that finds nothing of the last one, ``reconnect`` one on the
same tables.
An answer is ``{"ok": …}`` or ``{"error": …, "kind": …}``.
"""

from __future__ import annotations

import os
import re
import sys
from typing import Any

if not __package__:
    # Started by its path, this folder is on the module path, and its modules would stand in the way of others.
    sys.path[0] = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

from scd2check import protocol
from scd2check.cells import encode
from scd2check.errors import Unsuitable, describe
from scd2check.setup import decode_rows
from scd2check.spark.errors import is_of_spark, summary
from scd2check.spark.options import read_options
from scd2check.spark.session import SparkRun
from scd2check.spark.tables import quoted, read_table, to_frame

_SYNTAX = re.compile(r"\[PARSE_[A-Z_]+\]")
_LINE = re.compile(r"\(line (\d+), pos \d+\)")
_TYPES = {"string": "text", "int": "integer", "bigint": "bigint", "double": "double", "boolean": "boolean", "date": "date", "timestamp": "timestamp", "timestamp_ntz": "timestamp", "float": "double", "smallint": "integer", "tinyint": "integer"}


class Link:
    def __init__(self, run: SparkRun) -> None:
        self._run = run

    def answer(self, message: dict[str, Any]) -> Any:
        return getattr(self, f"_{message['op']}")(message)

    def _start(self, _: dict[str, Any]) -> Any:
        return self._run.session.version

    def _sql(self, message: dict[str, Any]) -> None:
        frame = self._run.session.sql(message["text"])
        if message["query"]:
            frame.write.format("noop").mode("overwrite").save()

    def _create(self, message: dict[str, Any]) -> None:
        table = self._own(message["table"])
        self._run.session.sql(f"DROP TABLE IF EXISTS {table}")
        self._run.create(table, message["types"], [])

    def _fill(self, message: dict[str, Any]) -> None:
        self._frame(message).writeTo(self._own(message["table"])).append()

    def _view(self, message: dict[str, Any]) -> None:
        self._frame(message).createOrReplaceTempView(quoted(message["table"]))

    def _exists(self, message: dict[str, Any]) -> bool:
        return bool(self._run.session.catalog.tableExists(quoted(message["table"])))

    def _columns(self, message: dict[str, Any]) -> list[str]:
        return list(self._run.session.table(quoted(message["table"])).columns)

    def _read(self, message: dict[str, Any]) -> dict[str, Any]:
        table = quoted(message["table"])
        types = {name: _type(own) for name, own in self._run.session.table(table).dtypes}
        rows = read_table(self._run.session, table)
        cells = [[_cell(row[name], own) for name, own in types.items()] for row in rows]
        return {"columns": [{"name": name, "type": own} for name, own in types.items()], "rows": cells}

    def _begin(self, _: dict[str, Any]) -> None:
        self._run.begin()

    def _reconnect(self, _: dict[str, Any]) -> None:
        self._run.renew()

    def _frame(self, message: dict[str, Any]) -> Any:
        types = message["types"]
        return to_frame(self._run.session, decode_rows(message["rows"], types), types)

    def _own(self, table: str) -> str:
        """In the scratch schema, whatever the current one is."""
        return f"{self._run.schema}.{quoted(table)}"


def _type(own: str) -> str:
    """A column type of the harness; what has none there (arrays, maps, binary) is told as text."""
    return own if own.startswith("decimal") else _TYPES.get(own, "text")


def _cell(value: Any, column_type: str) -> Any:
    """Text, as the harness takes it from engines; None for NULL."""
    if column_type == "text" and isinstance(value, bytearray):
        value = value.hex()
    told = encode(value, column_type)
    if isinstance(told, bool):
        return "t" if told else "f"
    return told if told is None else str(told)


def main() -> int:
    channel = protocol.claim()
    try:
        link = Link(SparkRun("A script for Spark", read_options(), sys.argv[1]))
    except Unsuitable as problem:
        channel.send({"error": str(problem), "kind": "usage"})
        return 1
    while (message := channel.receive()) is not None:
        try:
            channel.send({"ok": link.answer(message)})
        except Unsuitable as problem:
            channel.send({"error": str(problem), "kind": "usage"})
        except Exception as error:
            told = _told(error)
            channel.send(told)
            if told["kind"] == "lost":
                return 1
    return 0


def _told(error: Exception) -> dict[str, Any]:
    whole = str(error)
    line = _LINE.search(whole)
    kind = "lost" if _is_lost(error) else "syntax" if _SYNTAX.search(whole) else "statement"
    raised = (summary(whole) if is_of_spark(error) else "") or describe(error)
    return {"error": raised, "kind": kind, "line": int(line.group(1)) if line else None}


def _is_lost(error: Exception) -> bool:
    """Whether there is no Spark any more: its process was killed, or ran out of memory."""
    return isinstance(error, ConnectionError) or type(error).__name__ == "Py4JNetworkError" or "does not exist in the JVM" in str(error)


if __name__ == "__main__":
    sys.exit(main())
