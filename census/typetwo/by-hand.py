"""Feeds straight into typetwo, without scd2check: prints the versions that it then holds, by the name of the feed.

An instant of the import is printed as `*`: it is another one in each run.
"""

import json
import pathlib
import sys
from datetime import datetime

from typetwo import TypeTwo


def versions_after(batches):
    rows = []
    for batch in batches:
        now = datetime.fromisoformat(batch["asOf"].removesuffix("Z"))
        history = TypeTwo("id", rows, "start", "end", "current", datetime(1970, 1, 1), now=now)
        history += [{"id": row["customer_id"], "segment": row["customer_segment"]} for row in batch["rows"]]
        rows = [dict(row) for row in history]
    first = batches[0]["rows"][0]["customer_id"]
    is_open = datetime(2999, 12, 31)
    return [
        (row["segment"], show(row["start"]), None if row["end"] == is_open else show(row["end"]))
        for row in rows
        if row["id"] == first
    ]


def show(instant):
    return "*" if instant.year == datetime.now().year else instant.isoformat(timespec="microseconds")


feeds = [pathlib.Path(path) for path in sys.argv[1:]]
print(json.dumps({feed.stem: versions_after(json.loads(feed.read_text())["batches"]) for feed in feeds}))
