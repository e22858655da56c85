"""scduck 0.1.1, `SCDTable.sync`, held to what its README and SYNC_LOGIC.md say of it."""

import tempfile
from pathlib import Path

import pyarrow as pa
from scduck import SCDTable

# Each decision with the sentence that it is taken from.
SCD2CHECK = {
    # "Store time series of snapshots": a key that is missing from one is closed (SYNC_LOGIC, case 6).
    "feed": "snapshot",
    "deletes": "close",
    # "date ranges"; "valid_from: inclusive (>=), valid_to: exclusive (<), NULL = current".
    "grain": "day",
    "end": "exclusive",
    # "Dates can be synced in any order", with an example that ends in "returns correct snapshot".
    "late": "apply",
    # "When a record covers a synced date and wasn't closed at that date, the record must have been present when that
    # date was synced": the synced dates are kept beside the dimension, as the log that late data needs.
    "lateEvidence": "log",
    # A test of its own: "Re-syncing different data should update."
    "sameInstant": "last",
    # Its table has a primary key, and its key columns are NOT NULL.
    "duplicates": "never",
    "nullKey": "never",
    # "keys=[…], values=[…]", all of them VARCHAR. There is no flag and nothing untracked.
    "key": ["customer_id", "branch"],
    "tracked": ["customer_segment", "city"],
    "validFrom": "valid_from",
    "validTo": "valid_to",
    "isCurrent": None,
}
KEYS, VALUES = SCD2CHECK["key"], SCD2CHECK["tracked"]
SCHEMA = pa.schema([(name, pa.string()) for name in KEYS + VALUES])


class Scduck:
    def __init__(self):
        self.folder = tempfile.TemporaryDirectory()
        self.table = SCDTable(Path(self.folder.name) / "dim.duckdb", "dim_customer", KEYS, VALUES)

    def apply(self, rows, as_of):
        self.table.sync(as_of.isoformat(), pa.Table.from_pylist(rows, SCHEMA))

    def read(self):
        rows = self.table.conn.execute("SELECT * FROM dim_customer")
        names = [column[0] for column in rows.description]
        return [dict(zip(names, row)) for row in rows.fetchall()]

    def close(self):
        self.table.close()
        self.folder.cleanup()
