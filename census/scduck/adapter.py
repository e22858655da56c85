"""scduck 0.1.1: its SCDTable, held to its README and its SYNC_LOGIC.md."""

import pyarrow
from scduck import SCDTable

KEYS = ["customer_id", "branch"]
VALUES = ["customer_segment", "city"]

# Each decision with the words that it is taken from.
SCD2CHECK = {
    # "Store time series of snapshots"; a record that is not in the next one is closed (SYNC_LOGIC, case 6).
    "feed": "snapshot",
    "deletes": "close",
    # "date ranges"; "valid_from: inclusive (>=), valid_to: exclusive (<), NULL = current".
    "grain": "day",
    "end": "exclusive",
    "openMarker": "null",
    # "Dates can be synced in any order": the example backfills an older one and "returns correct snapshot".
    "late": "apply",
    # It keeps the synced dates beside the dimension, the log that late data needs: "When a record covers a synced date
    # and wasn't closed at that date, the record must have been present when that date was synced."
    "lateEvidence": "log",
    # A test of its own: "Re-syncing different data should update."
    "sameInstant": "last",
    # The table that it creates has the keys and valid_from as its primary key, every key column NOT NULL.
    "duplicates": "never",
    "nullKey": "never",
    # Keys and values, all VARCHAR; nothing is untracked, and there is no flag.
    "columns": {"key": KEYS, "tracked": VALUES, "validFrom": "valid_from", "validTo": "valid_to", "isCurrent": None},
}

SCHEMA = pyarrow.schema([(name, pyarrow.string()) for name in KEYS + VALUES])


class Scduck:
    def __init__(self):
        self.table = SCDTable(":memory:", "dim_customer", KEYS, VALUES)

    def apply(self, rows, as_of):
        self.table.sync(as_of.isoformat(), pyarrow.Table.from_pylist(rows, SCHEMA))

    def read(self):
        rows = self.table.conn.execute("SELECT * FROM dim_customer")
        names = [column[0] for column in rows.description]
        return [dict(zip(names, row)) for row in rows.fetchall()]

    def close(self):
        self.table.close()
