"""Column types of DuckDB and PostgreSQL, and what scd2check calls them."""

from __future__ import annotations

import re
from typing import Optional

_PLAIN = {
    "text": "text", "varchar": "text", "character varying": "text", "character": "text", "bpchar": "text",
    "string": "text", "citext": "text", "name": "text", "uuid": "text",
    "tinyint": "integer", "utinyint": "integer", "smallint": "integer", "usmallint": "integer", "integer": "integer",
    "int": "integer", "int2": "integer", "int4": "integer",
    "uinteger": "bigint", "bigint": "bigint", "ubigint": "bigint", "hugeint": "bigint", "int8": "bigint",
    "float": "double", "real": "double", "double": "double", "double precision": "double", "float4": "double",
    "float8": "double", "boolean": "boolean", "bool": "boolean", "date": "date",
    "timestamp": "timestamp", "timestamp_s": "timestamp", "timestamp_ms": "timestamp", "timestamp_ns": "timestamp",
    "datetime": "timestamp", "timestamp without time zone": "timestamp", "timestamp with time zone": "timestamp",
    "timestamptz": "timestamp",
}  # fmt: skip


def known_type(declared: str) -> Optional[str]:
    """What scd2check calls a type, or None where it sends no values of it (arrays, JSON, intervals, blobs, ...)."""
    text = " ".join(declared.lower().split())
    if text.startswith("enum("):
        return "text"
    decimal = re.fullmatch(r"(?:decimal|numeric)(?:\((\d+)(?:,\s*(\d+))?\))?", text)
    if decimal is not None:
        digits, scale = decimal.groups()
        return f"decimal({digits},{scale or 0})" if digits else "decimal(18,4)"
    length = re.fullmatch(r"(varchar|character varying|character)\((\d+)\)", text)
    if length is not None:
        return f"varchar({length.group(2)})"
    return _PLAIN.get(re.sub(r"\(\d+\)", "", text))


def column_sql(declared: str, engine: str) -> str:
    """The type of the scratch table's column: as wide as the values that are sent, with or without a zone as declared."""
    kind = known_type(declared)
    if kind is None:
        return declared
    if kind == "text" or kind.startswith("varchar"):
        return "text"
    if kind == "timestamp":
        zoned = "with time zone" in declared.lower() or "timestamptz" in declared.lower()
        return "timestamp with time zone" if zoned else "timestamp"
    return "double precision" if kind == "double" and engine == "postgres" else kind
