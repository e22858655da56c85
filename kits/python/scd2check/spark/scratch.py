"""The scratch schema of a run: its name, what is in it, and those that were left behind. Nothing but these is ever dropped."""

from __future__ import annotations

import re
import time
import uuid
from typing import Any

from scd2check.spark.tables import quoted

#: Seconds since the epoch, and what tells two of one second apart, both in hexadecimal. The harness makes such names too
#: (``src/plugins/sql.ts``).
_NAME = re.compile(r"scd2check_([0-9a-f]{8})_[0-9a-f]{8}")
#: After which a schema that nobody dropped belongs to a run that was killed.
_STALE_SECONDS = 24 * 60 * 60


def new_name() -> str:
    return f"scd2check_{int(time.time()):08x}_{uuid.uuid4().hex[:8]}"


def empty(spark: Any, schema: str) -> None:
    """Drops the tables and views of a schema."""
    for row in spark.sql(f"SHOW TABLES IN {schema}").collect():
        # Temporary views are listed beside those of any schema.
        if not row["isTemporary"]:
            _drop_relation(spark, f"{schema}.{quoted(row['tableName'])}")


def drop(spark: Any, schema: str) -> None:
    """Not every catalog takes CASCADE at its word."""
    empty(spark, schema)
    spark.sql(f"DROP SCHEMA IF EXISTS {schema}")


def drop_stale(spark: Any, catalog: str) -> None:
    """Drops the schemas of runs that were killed, a day later. One that cannot be dropped is somebody else's, or waits."""
    try:
        names = [name for name, *_ in spark.sql(f"SHOW SCHEMAS IN {catalog} LIKE 'scd2check_*'").collect()]
    except Exception:
        # A catalog that never held anything may not even list it.
        return
    for name in filter(is_stale, names):
        try:
            drop(spark, f"{catalog}.{plain(name)}")
        except Exception:
            continue


def is_stale(name: str) -> bool:
    """Whether it is the name of a scratch schema, and of one that is more than a day old."""
    made = _NAME.fullmatch(name)
    return made is not None and time.time() - int(made.group(1), 16) > _STALE_SECONDS


def plain(name: str) -> str:
    """As people write it: quoted only where it has to be."""
    return name if re.fullmatch(r"[A-Za-z_]\w*", name) else quoted(name)


def _drop_relation(spark: Any, name: str) -> None:
    try:
        spark.sql(f"DROP TABLE IF EXISTS {name}")
    except Exception:
        # DROP TABLE refuses a view, which some catalogs list among the tables.
        spark.sql(f"DROP VIEW IF EXISTS {name}")
