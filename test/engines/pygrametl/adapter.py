"""pygrametl 2.9, `SlowlyChangingDimension` over SQLite, set up as the example in its documentation."""

import sqlite3

import pygrametl
from pygrametl.tables import SlowlyChangingDimension

SCD2CHECK = {
    "feed": "delta",
    "deletes": "close",
    "operation": "operation",
    "late": "never",
    "sameInstant": "never",
    "duplicates": "equal",
    "nullKey": "never",
    "end": "exclusive",
    "openMarker": "null",
    "key": ["customer_id", "branch"],
    "tracked": ["customer_segment", "points bigint"],
    "untracked": ["street"],
    "validFrom": "valid_from",
    "validTo": "valid_to",
    "isCurrent": None,
    "surrogateKey": "customer_sk bigint",
}
KEY = ["customer_id", "branch"]
ATTRIBUTES = [*KEY, "customer_segment", "points", "street"]


class Pygrametl:
    def __init__(self):
        self.connection = sqlite3.connect(":memory:")
        self.connection.row_factory = sqlite3.Row
        self.connection.execute(
            "CREATE TABLE dim_customer (customer_sk INTEGER PRIMARY KEY, customer_id TEXT, branch TEXT, customer_segment TEXT,"
            " points INTEGER, street TEXT, valid_from TEXT, valid_to TEXT, version INTEGER)"
        )
        self.dimension = SlowlyChangingDimension(
            name="dim_customer",
            key="customer_sk",
            attributes=[*ATTRIBUTES, "valid_from", "valid_to", "version"],
            lookupatts=KEY,
            versionatt="version",
            fromatt="valid_from",
            fromfinder=pygrametl.datereader("as_of", str),
            toatt="valid_to",
            type1atts=[("street", False)],
            targetconnection=pygrametl.ConnectionWrapper(self.connection),
        )

    def apply(self, rows, as_of):
        instant = as_of.isoformat(sep=" ", timespec="microseconds")
        for row in rows:
            if row["operation"] == "D":
                if self.dimension.lookup(row) is not None:
                    self.dimension.closecurrent(row, end=instant)
            else:
                self.dimension.scdensure({**row, "as_of": instant})
        self.connection.commit()

    def read(self):
        return self.connection.execute("SELECT * FROM dim_customer")

    def close(self):
        self.connection.close()
