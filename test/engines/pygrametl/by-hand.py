"""What scd2check says of pygrametl, shown without scd2check: each feed goes straight into the package.

    .engines/pygrametl/bin/python test/engines/pygrametl/by-hand.py

Prints the dimension after each feed, by the name of the case; the test compares it with the finding.
"""

import json
import sqlite3

import pygrametl
from pygrametl.tables import SlowlyChangingDimension


def dimension_after(*feed):
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
    for date, segment in feed:
        row = {"id": "C1", "segment": segment, "date": date}
        if segment is None:
            dimension.closecurrent(row, end=date)
        else:
            dimension.scdensure(row)
    return connection.execute(
        "SELECT segment, valid_from, valid_to FROM dim ORDER BY valid_from, valid_to NULLS LAST"
    ).fetchall()


SHOWN = {
    # B [2, 1) ends before it starts, and A is current, though B is the newer state. A late row is compared with the newest
    # version and takes its place: it starts at its own date, and the newest ends there. The documentation says that in a
    # type 1 dimension, "as opposed to" this one, "it is important that the rows are introduced in chronological order".
    "late-arrival": dimension_after(("2026-03-02", "B"), ("2026-03-01", "A")),
    # The same with a closed version: A [1, 4) and B [2, open) overlap, so the facts of day 2 and 3 meet two versions.
    "late-inside-a-closed-version": dimension_after(("2026-03-01", "A"), ("2026-03-04", "C"), ("2026-03-02", "B")),
    # A late delete ends the open version before its own start: the customer of today is gone.
    "late-delete-row-before-all": dimension_after(("2026-03-02", "A"), ("2026-03-01", None)),
    # A was known on day 1, and the dimension still says that it began on day 2: an equal row changes nothing at all.
    "late-extends-the-first": dimension_after(("2026-03-02", "A"), ("2026-03-01", "A")),
    # A day's load again, as it was: it is taken for news. A twice from day 1, and B [2, 1).
    "redelivered-later": dimension_after(("2026-03-01", "A"), ("2026-03-02", "B"), ("2026-03-01", "A")),
    # A repeat on day 3 leaves no trace, so B of day 2 ends up as current. No dimension alone can know better.
    "late-between-equal-repeats": dimension_after(("2026-03-01", "A"), ("2026-03-03", "A"), ("2026-03-02", "B")),
    # A [1, 1) holds at no instant: a row that only costs.
    "same-instant-last": dimension_after(("2026-03-01", "A"), ("2026-03-01", "B")),
}

print(json.dumps(SHOWN))
