"""What scd2check says of scduck, shown without scd2check: each feed goes straight into the package.

    .engines/scduck/bin/python test/engines/scduck/by-hand.py

Prints the dimension after each feed, by the name of the case; the test compares it with the finding.
"""

import json

import pyarrow
from scduck import SCDTable

SCHEMA = pyarrow.schema([("id", pyarrow.string()), ("segment", pyarrow.string())])


def dimension_after(*feed):
    """The versions of C1. Each snapshot is a date and the segments by customer."""
    with SCDTable(":memory:", "dim", ["id"], ["segment"]) as table:
        for date, segments in feed:
            rows = [{"id": key, "segment": segment} for key, segment in segments.items()]
            table.sync(date, pyarrow.Table.from_pylist(rows, SCHEMA))
        return table.conn.execute(
            "SELECT segment, valid_from::VARCHAR, valid_to::VARCHAR FROM dim WHERE id = 'C1' ORDER BY valid_from, valid_to"
        ).fetchall()


SHOWN = {
    # With DuckDB 2: NULL [1, open), and A is lost; so for every value that becomes NULL or was NULL. A test of scduck says
    # "NULL to value is a change", and fails. The comparison `NOT ((i IS NULL AND s IS NULL) OR i = s)` is neither true nor
    # false where only one is NULL. It works with DuckDB 1.4, whose optimizer rewrites it to `i IS DISTINCT FROM s`, which
    # is another question; with `disabled_optimizers = 'expression_rewriter'` the change is lost there too.
    "null-to-value": dimension_after(("2026-03-01", {"C1": None}), ("2026-03-02", {"C1": "A"})),
    # B [2, open), though the snapshot of day 3 said A: `get_data("2026-03-03")` returns B, of a date that was synced with A.
    # By SYNC_LOGIC ("Key Insight") it knows that day 3 was synced and covered by A. Case 6 uses that, case 2 does not.
    "late-between-equal-repeats": dimension_after(
        ("2026-03-01", {"C1": "A"}), ("2026-03-03", {"C1": "A"}), ("2026-03-02", {"C1": "B"})
    ),
    # B [2, 3) and B [3, open): two rows for one state. README: "When data doesn't change, no new rows are written."
    "late-equal-to-the-next": dimension_after(
        ("2026-03-01", {"C1": "A"}), ("2026-03-03", {"C1": "B"}), ("2026-03-02", {"C1": "B"})
    ),
    # A [1, 2) and A [2, open): the correction of day 2 is written over B, and nothing joins what is now equal.
    "same-instant-undoes-a-change": dimension_after(
        ("2026-03-01", {"C1": "A"}), ("2026-03-02", {"C1": "B"}), ("2026-03-02", {"C1": "A"})
    ),
    # A [1, 1): day 1 again, now without C1, closes the version at its own start. A row that holds at no date is left.
    "same-instant-delete": dimension_after(("2026-03-01", {"C1": "A", "C2": "A"}), ("2026-03-01", {"C2": "A"})),
    # A [1, 3), though the snapshot of day 2 was without C1: `get_data("2026-03-02")` returns a customer that was not in it.
    # Case 3b ends the new record at the next version; the synced date in between, which case 5 would ask for, is not seen.
    "absent-between.json": dimension_after(
        ("2026-03-03", {"C1": "B", "C2": "A"}), ("2026-03-02", {"C2": "A"}), ("2026-03-01", {"C1": "A", "C2": "A"})
    ),
}

print(json.dumps(SHOWN))
