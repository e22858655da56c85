"""What an implementation is told before its first batch."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Optional

from scd2check.cells import decode


@dataclass(frozen=True)
class Column:
    """A column of the batches: its name, its type (``text``, ``bigint``, ``decimal(12,2)``, ...), and if it takes None."""

    name: str
    type: str
    nullable: bool = True


@dataclass(frozen=True)
class Setup:
    """One session: the contract, the columns of its batches, and maybe rows that the dimension begins with.

    ``contract`` has the decisions by their names, ``contract["columns"]`` the names of columns by role (a list for
    ``key``, ``tracked`` and ``untracked``, else one name or None), and ``contract["types"]`` a column's type by its name.
    """

    case_id: Optional[str]
    keys: list[str]
    columns: tuple[Column, ...]
    contract: Mapping[str, Any]
    dimension: Optional[list[dict[str, Any]]]

    @property
    def batch_types(self) -> dict[str, str]:
        return {column.name: column.type for column in self.columns}

    @property
    def dimension_types(self) -> Mapping[str, str]:
        return _types(self.contract)


def read_setup(message: Mapping[str, Any]) -> Setup:
    """From the harness's ``start``."""
    contract = message.get("contract") or {}
    columns = tuple(
        Column(column["name"], column["type"], column.get("nullable", True)) for column in message.get("columns", [])
    )
    rows = message.get("dimension")
    dimension = None if rows is None else decode_rows(rows, _types(contract))
    return Setup(message.get("caseId"), list(message.get("key", [])), columns, contract, dimension)


def decode_rows(rows: Sequence[Mapping[str, Any]], types: Mapping[str, str]) -> list[dict[str, Any]]:
    return [{name: decode(value, types.get(name), name) for name, value in row.items()} for row in rows]


def _types(contract: Mapping[str, Any]) -> Mapping[str, str]:
    return contract.get("types") or {}
