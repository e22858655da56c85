"""Rows as implementations return them: dicts, or whatever table their library has."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping
from typing import Any, Optional

from scd2check.cells import encode


def materialize(result: Any) -> Any:
    """A result that can be iterated more than once: generators are run to their end, all else stays as it is."""
    if isinstance(result, Iterable) and iter(result) is result:
        return list(result)
    return result


def rows_of(result: Any) -> list[dict[str, Any]]:
    """The rows of a state: an iterable of dicts, named tuples, dataclasses, or a data frame (pandas, Polars, Arrow, Spark)."""
    if result is None:
        return []
    for method, arguments in (("to_pylist", {}), ("to_dicts", {}), ("to_dict", {"orient": "records"}), ("collect", {})):
        convert = getattr(result, method, None)
        if callable(convert) and not isinstance(result, Mapping):
            return [_row(row, index) for index, row in enumerate(convert(**arguments))]
    if isinstance(result, (str, bytes, Mapping)) or not isinstance(result, Iterable):
        raise TypeError(f"the state is {_short(result)}; it has to be a list of dicts, one for each row")
    return [_row(row, index) for index, row in enumerate(result)]


def encode_rows(rows: Iterable[Mapping[str, Any]], types: Mapping[str, str]) -> list[dict[str, Any]]:
    return [{str(name): encode(value, types.get(name)) for name, value in row.items()} for row in rows]


def _row(row: Any, index: int) -> dict[str, Any]:
    if isinstance(row, Mapping):
        return dict(row)
    named: Optional[dict[str, Any]] = None
    if dataclasses.is_dataclass(row) and not isinstance(row, type):
        named = {field.name: getattr(row, field.name) for field in dataclasses.fields(row)}
    for method in ("asDict", "_asdict"):
        if named is None and callable(getattr(row, method, None)):
            named = dict(getattr(row, method)())
    if named is None and callable(getattr(row, "keys", None)):  # sqlite3.Row
        named = {name: row[name] for name in row.keys()}
    if named is None:
        raise TypeError(f"row {index} of the state is {_short(row)}; a row is a dict of cells by column name")
    return named


def _short(value: Any) -> str:
    text = repr(value)
    return f"{type(value).__name__} {text if len(text) <= 80 else text[:79] + '…'}"
