"""From a snapshot's configuration to the contract that it promises to hold."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Optional

from scd2check.errors import Unsuitable

#: Where the columns of dbt's own have other names: `snapshot_meta_column_names`.
META_COLUMNS = ("dbt_valid_from", "dbt_valid_to", "dbt_scd_id", "dbt_updated_at", "dbt_is_deleted")

DELETES = {"ignore": "ignore", "invalidate": "close", "new_record": "marker-row"}


@dataclass(frozen=True)
class SourceColumn:
    """A column that the snapshot's query has: its type, as scd2check names it, or None where values of it are not sent."""

    name: str
    type: Optional[str]
    nullable: bool = True


def contract_of(config: Mapping[str, Any], columns: Sequence[SourceColumn], open_marker: str = "null") -> dict[str, Any]:
    """The contract, as it is declared to the harness.

    ``config``: the node's ``config`` in the manifest. ``columns``: of the query, in order. ``open_marker``: the value of
    ``dbt_valid_to_current``, as ISO text. Raises ``Unsuitable`` where scd2check cannot send what the snapshot goes by.
    """
    strategy = config.get("strategy")
    key = key_columns(config.get("unique_key"), columns)
    updated_at = _updated_at(config.get("updated_at"), columns)
    rest = [column for column in columns if column not in key and column != updated_at and column.type is not None]
    meta = meta_columns(config)
    contract: dict[str, Any] = {
        "contract": "dbt-timestamp" if strategy == "timestamp" else "dbt-check",
        # The macro `snapshot_get_time` is made to answer with the instant of each batch.
        "clock": "injected",
        "deletes": DELETES[hard_deletes(config)],
        "openMarker": open_marker,
        "key": [_declared(column) for column in key],
        "validFrom": _named(meta["dbt_valid_from"]),
        "validTo": _named(meta["dbt_valid_to"]),
        "isCurrent": None,
        "surrogateKey": _named(meta["dbt_scd_id"]),
    }
    if contract["deletes"] == "marker-row":
        contract["isDeleted"] = _named(meta["dbt_is_deleted"])
    if updated_at is not None:
        # It dates every change, so it is never missing.
        contract["changedAt"] = {"name": updated_at.name, "type": updated_at.type, "nullable": False}
        if updated_at.type == "date":
            contract["grain"] = "day"
        if strategy != "timestamp":
            contract.update({"stamp": "row-time", "changeBy": "value"})
    checked = _checked(config, strategy, rest)
    contract["tracked"] = [_declared(column) for column in rest if column in checked]
    others = [_declared(column) for column in rest if column not in checked]
    contract["untracked"] = others or None
    if not contract["tracked"]:
        raise Unsuitable(
            "No column is left whose change could make a version: "
            f"{', '.join(column.name for column in columns)} are the key, `updated_at`, or of types that are not sent."
        )
    return contract


def hard_deletes(config: Mapping[str, Any]) -> str:
    """`hard_deletes`, or what `invalidate_hard_deletes` meant before dbt 1.9."""
    return str(config.get("hard_deletes") or ("invalidate" if config.get("invalidate_hard_deletes") else "ignore"))


def meta_columns(config: Mapping[str, Any]) -> dict[str, str]:
    renamed = config.get("snapshot_meta_column_names") or {}
    return {name: renamed.get(name) or name for name in META_COLUMNS}


def key_columns(unique_key: Any, columns: Sequence[SourceColumn]) -> list[SourceColumn]:
    """The columns of `unique_key`: one name, a list of names, or an expression over columns."""
    parts = [unique_key] if isinstance(unique_key, str) else list(unique_key or [])
    found = [column for part in parts for column in _mentioned(str(part), columns)]
    if not found:
        raise Unsuitable(f"`unique_key` is {unique_key!r}, and the query has no such column: {_names(columns)}.")
    unsent = next((column for column in found if column.type is None), None)
    if unsent is not None:
        raise Unsuitable(f"The key column `{unsent.name}` is of a type that scd2check sends no values of.")
    return list(dict.fromkeys(found))


def _updated_at(expression: Optional[str], columns: Sequence[SourceColumn]) -> Optional[SourceColumn]:
    if expression is None:
        return None
    column = find_column(expression, columns)
    if column is None:
        raise Unsuitable(
            f"`updated_at` is `{expression}`, and the query has no column of that name ({_names(columns)}). "
            "scd2check sends the time of a change as a column: compute it in the query, and name it there."
        )
    if column.type not in ("timestamp", "date"):
        raise Unsuitable(f"`updated_at` is the column `{column.name}`, which is no timestamp and no date.")
    return column


def _checked(config: Mapping[str, Any], strategy: Any, rest: Sequence[SourceColumn]) -> list[SourceColumn]:
    names = config.get("check_cols")
    if strategy == "timestamp" or names is None or names == "all":
        return list(rest)
    if isinstance(names, str):
        names = [names]
    return [column for name in names if (column := find_column(str(name), rest)) is not None]


def find_column(name: str, columns: Sequence[SourceColumn]) -> Optional[SourceColumn]:
    """By its name, without case and quotes, as the engines read it."""
    plain = name.strip().strip('"').lower()
    return next((column for column in columns if column.name.lower() == plain), None)


def _mentioned(part: str, columns: Sequence[SourceColumn]) -> list[SourceColumn]:
    exact = find_column(part, columns)
    if exact is not None:
        return [exact]
    words = re.findall(r"[A-Za-z_]\w*", re.sub(r"'(?:[^']|'')*'", " ", part))
    return [column for word in words if (column := find_column(word, columns)) is not None]


def _declared(column: SourceColumn) -> dict[str, Any]:
    return {"name": column.name, "type": column.type, "nullable": column.nullable}


def _named(name: str) -> dict[str, Any]:
    return {"name": name}


def _names(columns: Sequence[SourceColumn]) -> str:
    return ", ".join(column.name for column in columns)
