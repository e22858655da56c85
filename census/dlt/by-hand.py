"""Feeds straight into dlt, without scd2check: prints the versions that DuckDB then holds, by the name of the feed.

CENSUS_DLT as in the adapter. Where dlt dates by its load package, instants are those of the loads that they belong to.
"""

import json
import os
import pathlib
import sys
import tempfile
from contextlib import redirect_stdout
from datetime import datetime, timezone

import dlt
import duckdb

MODE = os.environ.get("CENSUS_DLT")
COLUMNS = {"customer_segment": {"data_type": "text"}}


@dlt.resource(name="dim")
def extract(rows):
    yield rows


def versions_after(batches):
    with tempfile.TemporaryDirectory() as folder:
        path = f"{folder}/w.duckdb"
        pipeline = dlt.pipeline(
            "hand", pipelines_dir=f"{folder}/p", destination=dlt.destinations.duckdb(path), dataset_name="shop"
        )
        loads = []
        for batch in batches:
            disposition = {"disposition": "merge", "strategy": "scd2"}
            if MODE != "wall":
                disposition["boundary_timestamp"] = batch["asOf"]
            resource = extract(batch["rows"])
            keys = {"merge_key": ["customer_id", "branch"]} if MODE == "merge-key" else {}
            resource.apply_hints(write_disposition=disposition, columns=COLUMNS, **keys)
            with redirect_stdout(sys.stderr):
                started = datetime.now(timezone.utc)
                pipeline.run(resource)
            loads.append((started, datetime.now(timezone.utc), batch["asOf"].removesuffix("Z")))
        first = batches[0]["rows"][0]
        with duckdb.connect(path) as connection:
            connection.execute("SET TimeZone = 'UTC'")
            rows = connection.execute(
                "SELECT customer_segment, _dlt_valid_from, _dlt_valid_to FROM shop.dim WHERE customer_id = ? AND branch = ?",
                [first["customer_id"], first["branch"]],
            ).fetchall()
        return [(segment, show(start, loads), show(end, loads)) for segment, start, end in rows]


def show(instant, loads):
    if instant is None:
        return None
    if MODE == "wall":
        return next(as_of for started, ended, as_of in loads if started <= instant <= ended)
    return instant.replace(tzinfo=None).isoformat(timespec="microseconds")


feeds = [pathlib.Path(path) for path in sys.argv[1:]]
print(json.dumps({feed.stem: versions_after(json.loads(feed.read_text())["batches"]) for feed in feeds}))
