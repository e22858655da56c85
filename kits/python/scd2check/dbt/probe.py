"""Whether a query hands on what it reads, found out by a few rows."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from decimal import Decimal
from typing import Any

from scd2check.dbt.contract import SourceColumn
from scd2check.dbt.scratch import Scratch, quoted

#: What queries like to clean away, by type; the last is the least usual one.
VALUES: dict[str, list[Any]] = {
    "text": ["A", "a", "", " B ", "unknown", "Ä"],
    "integer": [1, 0, -1, 7, 99, 2**31 - 1],
    "bigint": [1, 0, -1, 7, 99, 2**53],
    "double": [1.5, 0.0, -1.5, 7.0, 99.25, 1e9],
    "decimal": [Decimal(1), Decimal(0), Decimal(-1), Decimal(2), Decimal(3), Decimal(4)],
    "boolean": [True, False],
    "date": [dt.date(2026, 3, day) for day in range(1, 7)],
    "timestamp": [dt.datetime(2026, 3, day, 6, 30, 15, 123456) for day in range(1, 7)],
}


def passes_through(
    scratch: Scratch, table: str, query: str, columns: Sequence[SourceColumn], key: Sequence[str]
) -> bool:
    """Whether each row of the table comes out of the query unchanged, once or more often, and nothing else does.

    A query that fails on the values does something with them, and hands none on.
    """
    sent = [column for column in columns if column.type is not None]
    rows = [_row(sent, key, index) for index in range(2 * len(VALUES["text"]))]
    types = {column.name: column.type or "" for column in sent}
    names = ", ".join(quoted(column.name) for column in sent)
    with scratch.cursor() as cursor:
        scratch.fill(cursor, table, rows, types)
    read = f"select {names} from {scratch.name(table)}"
    handed_on = f"select {names} from ({query}) as query"
    try:
        return scratch.count(f"{read} except {handed_on}") == 0 and scratch.count(f"{handed_on} except {read}") == 0
    except Exception:
        return False


def _row(columns: Sequence[SourceColumn], key: Sequence[str], index: int) -> dict[str, Any]:
    return {column.name: _value(column, index, place, column.name in key) for place, column in enumerate(columns)}


def _value(column: SourceColumn, index: int, place: int, is_key: bool) -> Any:
    kind = (column.type or "").split("(")[0].replace("varchar", "text")
    values = VALUES[kind]
    if is_key:
        return _distinct(kind, values[index % len(values)], index)
    # Each column at a pace of its own, so that no two go together; the second half has NULLs.
    if column.nullable and index >= len(VALUES["text"]) and (index + place) % 2 == 0:
        return None
    return values[(index + place) % len(values)]


def _distinct(kind: str, value: Any, index: int) -> Any:
    """A value for each row, so that a query that keeps one row of each key keeps them all."""
    if kind == "text":
        return f"{value}{index}"
    if kind in ("date", "timestamp"):
        return value + dt.timedelta(days=index)
    return value if kind == "boolean" else index + 1
