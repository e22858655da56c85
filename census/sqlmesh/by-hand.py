"""Feeds straight into SQLMesh's engine adapter, without scd2check: prints the versions that DuckDB then holds, by the name of the feed.

CENSUS_SQLMESH as in the adapter.
"""

import json
import os
import pathlib
import sys
from datetime import datetime

import duckdb
from sqlglot import exp
from sqlmesh.core.engine_adapter.duckdb import DuckDBEngineAdapter

BY_COLUMN = os.environ.get("CENSUS_SQLMESH") == "by-column"


def versions_after(batches):
    connection = duckdb.connect()
    adapter = DuckDBEngineAdapter(lambda *_: connection.cursor())
    names = {"id": "text", "segment": "text", "updated_at": "timestamp", "valid_from": "timestamp", "valid_to": "timestamp"}
    if BY_COLUMN:
        del names["updated_at"]
    types = {name: exp.DataType.build(kind) for name, kind in names.items()}
    adapter.create_table("dim", types)
    for number, batch in enumerate(batches):
        connection.execute("CREATE OR REPLACE TABLE extract (id TEXT, segment TEXT, updated_at TIMESTAMP)")
        for row in batch["rows"]:
            cells = [row["customer_id"], row["customer_segment"], row.get("updated_at")]
            connection.execute("INSERT INTO extract VALUES (?, ?, ?)", cells)
        arguments = dict(
            target_table="dim",
            source_table=exp.select("id", "segment", *([] if BY_COLUMN else ["updated_at"])).from_("extract"),
            unique_key=[exp.column("id")],
            valid_from_col=exp.column("valid_from"),
            valid_to_col=exp.column("valid_to"),
            execution_time=datetime.fromisoformat(batch["asOf"].removesuffix("Z")),
            target_columns_to_types=types,
            truncate=number == 0,
        )
        if BY_COLUMN:
            adapter.scd_type_2_by_column(check_columns=[exp.column("segment")], **arguments)
        else:
            adapter.scd_type_2_by_time(updated_at_col=exp.column("updated_at"), **arguments)
    first = batches[0]["rows"][0]["customer_id"]
    rows = connection.execute("SELECT segment, valid_from, valid_to FROM dim WHERE id = ?", [first]).fetchall()
    return [(segment, show(start), show(end)) for segment, start, end in rows]


def show(instant):
    return None if instant is None else instant.isoformat(timespec="microseconds")


feeds = [pathlib.Path(path) for path in sys.argv[1:]]
print(json.dumps({feed.stem: versions_after(json.loads(feed.read_text())["batches"]) for feed in feeds}))
