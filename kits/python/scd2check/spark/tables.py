"""Rows on their way to Spark and back, and tables that have the columns of a contract."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from scd2check.setup import Column, Setup

_SPARK_TYPES = {
    "text": "STRING",
    "integer": "INT",
    "bigint": "BIGINT",
    "double": "DOUBLE",
    "boolean": "BOOLEAN",
    "date": "DATE",
    "timestamp": "TIMESTAMP",
}


def spark_type(column_type: str) -> str:
    return _SPARK_TYPES.get(column_type, column_type.upper())


def quoted(name: str) -> str:
    return "`" + name.replace("`", "``") + "`"


def ddl(types: Mapping[str, str]) -> str:
    """``nk INT, attr STRING``, from column types by name."""
    return ", ".join(f"{quoted(name)} {spark_type(column_type)}" for name, column_type in types.items())


def dimension_types(setup: Setup) -> dict[str, str]:
    """The columns of the dimension by name, in the order in which people write them."""
    columns = setup.contract["columns"]
    types = setup.contract["types"]
    lists = [columns.get(role) or [] for role in ("key", "tracked", "untracked", "previous", "current")]
    # A table that is overwritten has no bounds.
    bounds = () if setup.contract.get("type") in ("1", "3") else ("validFrom", "validTo", "isCurrent")
    single = [
        columns.get(role) for role in ("surrogateKey", "hash", *bounds, "isDeleted", "inHistory")
    ]
    names = [name for each in lists for name in each] + [name for name in single if name is not None]
    return {name: types[name] for name in dict.fromkeys(names)}


def batch_types(columns: Sequence[Column]) -> dict[str, str]:
    return {column.name: column.type for column in columns}


def to_frame(spark: Any, rows: Sequence[Mapping[str, Any]], types: Mapping[str, str]) -> Any:
    """A frame of rows. By Arrow where there is pyarrow: Spark then holds them itself, and scans are ten times as fast."""
    if _has_arrow():
        return spark.createDataFrame(_to_arrow(rows, types), ddl(types))
    return spark.createDataFrame([tuple(row.get(name) for name in types) for row in rows], ddl(types))


def create_table(spark: Any, table: str, format: str, types: Mapping[str, str], rows: Iterable[Mapping[str, Any]]) -> None:
    spark.sql(f"CREATE TABLE {table} ({ddl(types)}) USING {format}")
    held = list(rows)
    if held:
        to_frame(spark, held, types).writeTo(table).append()


def read_table(spark: Any, table: str) -> list[dict[str, Any]]:
    """Every row. The catalog of a session keeps what it knows of a table, and a stream writes in a session of its own."""
    spark.catalog.refreshTable(table)
    frame = spark.table(table)
    if _has_arrow():
        return frame.toArrow().to_pylist()
    return [row.asDict() for row in frame.collect()]


def _has_arrow() -> bool:
    # Tables of Arrow go in and out from Spark 4 on.
    import pyspark

    return int(pyspark.__version__.split(".")[0]) >= 4 and importlib.util.find_spec("pyarrow") is not None


def _to_arrow(rows: Sequence[Mapping[str, Any]], types: Mapping[str, str]) -> Any:
    import pyarrow as pa

    columns = {
        name: pa.array([row.get(name) for row in rows], type=_arrow_type(pa, column_type))
        for name, column_type in types.items()
    }
    return pa.table(columns)


def _arrow_type(pa: Any, column_type: str) -> Any:
    if column_type.startswith("decimal"):
        precision, scale = column_type[len("decimal(") : -1].split(",")
        return pa.decimal128(int(precision), int(scale))
    return {
        "text": pa.string(),
        "integer": pa.int32(),
        "bigint": pa.int64(),
        "double": pa.float64(),
        "boolean": pa.bool_(),
        "date": pa.date32(),
        "timestamp": pa.timestamp("us", "UTC"),
    }[column_type]
