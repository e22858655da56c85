"""pygrametl 2.9: its SlowlyChangingDimension on SQLite, set up as the example in its documentation."""

import sqlite3

import pygrametl
from pygrametl.tables import SlowlyChangingDimension

# What its documentation says ("docs/examples/dimensions", and the docstrings of the class), decision by decision.
SCD2CHECK = {
    # `scdensure(row)`: "Lookup or insert a version of a slowly changing dimension member." It is told of one member, so
    # what is not mentioned is not touched; a second row that is equal is a look-up.
    "feed": "delta",
    "duplicates": "equal",
    # `closecurrent`: "Close the current version by setting its toatt if it is maxto."
    "deletes": "close",
    # "assigning the new rows fromatt to the old rows toatt"; "maxto … Default: None".
    "end": "exclusive",
    "openMarker": "null",
    # It looks up "the newest version" and compares with that; nothing is promised of rows that come late, nor of two
    # states at one instant.
    "late": "never",
    "sameInstant": "never",
    "columns": {
        "key": ["customer_id", "branch"],  # lookupatts
        "tracked": ["customer_segment", "points bigint"],
        "untracked": ["street"],  # type1atts
        "operation": "operation",
        "validFrom": "valid_from",
        "validTo": "valid_to",
        "isCurrent": None,
        # "the assigned key value is then the current maximum plus one"
        "surrogateKey": "customer_sk bigint",
    },
}


class Pygrametl:
    def __init__(self):
        self.connection = sqlite3.connect(":memory:")
        self.connection.row_factory = sqlite3.Row
        self.connection.execute(
            """CREATE TABLE dim_customer (
                customer_sk INTEGER PRIMARY KEY, customer_id TEXT, branch TEXT,
                customer_segment TEXT, points INTEGER, street TEXT,
                valid_from TEXT, valid_to TEXT, version INTEGER)"""
        )
        self.dimension = SlowlyChangingDimension(
            name="dim_customer",
            key="customer_sk",
            attributes=[
                "customer_id", "branch", "customer_segment", "points", "street",
                "valid_from", "valid_to", "version",
            ],
            lookupatts=["customer_id", "branch"],
            versionatt="version",
            fromatt="valid_from",
            fromfinder=pygrametl.datereader("as_of", str),
            toatt="valid_to",
            type1atts=[("street", False)],  # False: "only the latest one" is updated.
            targetconnection=pygrametl.ConnectionWrapper(self.connection),
        )

    def apply(self, rows, as_of):
        instant = as_of.isoformat(sep=" ", timespec="microseconds")  # SQLite has no type for instants.
        for row in rows:
            if row["operation"] != "D":
                self.dimension.scdensure({**row, "as_of": instant})  # A copy: it writes into the row.
            elif self.dimension.lookup(row) is not None:  # Closing an unknown member is an error to it.
                self.dimension.closecurrent(row, end=instant)
        self.connection.commit()

    def read(self):
        return self.connection.execute("SELECT * FROM dim_customer")

    def close(self):
        self.connection.close()
