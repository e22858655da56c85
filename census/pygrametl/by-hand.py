"""Feeds straight into pygrametl, without scd2check: prints the versions that SQLite then holds, by the name of the feed.

    .engines/census-pygrametl/bin/python census/pygrametl/by-hand.py census/pygrametl/feeds/*.json
"""

import json
import pathlib
import sqlite3
import sys

import pygrametl
from pygrametl.tables import SlowlyChangingDimension


def versions_after(batches):
    connection = sqlite3.connect(":memory:")
    connection.execute("CREATE TABLE dim (sk INTEGER PRIMARY KEY, id, segment, valid_from, valid_to, version)")
    dimension = SlowlyChangingDimension(
        name="dim",
        key="sk",
        attributes=["id", "segment", "valid_from", "valid_to", "version"],
        lookupatts=["id"],
        versionatt="version",
        fromatt="valid_from",
        fromfinder=pygrametl.datereader("date", str),
        toatt="valid_to",
        targetconnection=pygrametl.ConnectionWrapper(connection),
    )
    for batch in batches:
        date = batch["asOf"].removesuffix("Z")
        for each in batch["rows"]:
            row = {"id": each["customer_id"], "segment": each["customer_segment"], "date": date}
            if each["operation"] == "D":
                dimension.closecurrent(row, end=date)
            else:
                dimension.scdensure(row)
    return connection.execute("SELECT segment, valid_from, valid_to FROM dim").fetchall()


feeds = [pathlib.Path(path) for path in sys.argv[1:]]
print(json.dumps({feed.stem: versions_after(json.loads(feed.read_text())["batches"]) for feed in feeds}))
