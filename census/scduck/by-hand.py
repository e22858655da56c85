"""Feeds straight into scduck, without scd2check: prints the versions of the first customer that it then holds, by the name of the feed.

    .engines/census-scduck/bin/python census/scduck/by-hand.py census/scduck/feeds/*.json
"""

import json
import pathlib
import sys

import pyarrow
from scduck import SCDTable

SCHEMA = pyarrow.schema([("id", pyarrow.string()), ("segment", pyarrow.string())])


def versions_after(batches):
    with SCDTable(":memory:", "dim", ["id"], ["segment"]) as table:
        for batch in batches:
            rows = [{"id": row["customer_id"], "segment": row["customer_segment"]} for row in batch["rows"]]
            table.sync(batch["asOf"][:10], pyarrow.Table.from_pylist(rows, SCHEMA))
        first = batches[0]["rows"][0]["customer_id"]
        return table.conn.execute(
            "SELECT segment, valid_from::VARCHAR, valid_to::VARCHAR FROM dim WHERE id = ?", [first]
        ).fetchall()


feeds = [pathlib.Path(path) for path in sys.argv[1:]]
print(json.dumps({feed.stem: versions_after(json.loads(feed.read_text())["batches"]) for feed in feeds}))
