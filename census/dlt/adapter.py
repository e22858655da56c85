"""dlt: its merge strategy scd2 on DuckDB.

CENSUS_DLT=merge-key: with the natural key as merge_key. CENSUS_DLT=wall: without a boundary timestamp, dated by the load.
"""

import os
import tempfile

import dlt
import duckdb

MERGE_KEY = os.environ.get("CENSUS_DLT") == "merge-key"
WALL = os.environ.get("CENSUS_DLT") == "wall"
KEYS = ["customer_id", "branch"]

SCD2CHECK = {
    "contract": "dlt",
    **({"feed": "delta", "deletes": "never"} if MERGE_KEY else {}),
    **({"clock": "wall"} if WALL else {}),
    "columns": {
        "key": KEYS,
        "tracked": ["customer_segment", "points bigint"],
        "validFrom": "_dlt_valid_from",
        "validTo": "_dlt_valid_to",
        "isCurrent": None,
    },
}

COLUMNS = {
    "customer_id": {"data_type": "text"},
    "branch": {"data_type": "text"},
    "customer_segment": {"data_type": "text"},
    "points": {"data_type": "bigint"},
}


def extract(rows):
    # What yields nothing is no load at all; this makes it one without rows.
    yield rows if rows else dlt.mark.materialize_table_schema()


class Dlt:
    def __init__(self):
        self.folder = tempfile.TemporaryDirectory()
        self.path = f"{self.folder.name}/warehouse.duckdb"
        self.pipeline = dlt.pipeline(
            "census",
            pipelines_dir=f"{self.folder.name}/pipelines",
            destination=dlt.destinations.duckdb(self.path),
            dataset_name="shop",
        )

    def apply(self, rows, as_of):
        disposition = {"disposition": "merge", "strategy": "scd2"}
        if not WALL:
            disposition["boundary_timestamp"] = as_of.isoformat() + "Z"
        resource = dlt.resource(
            extract,
            name="dim_customer",
            write_disposition=disposition,
            columns=COLUMNS,
            **({"merge_key": KEYS} if MERGE_KEY else {}),
        )
        self.pipeline.run(resource(rows))

    def read(self):
        with duckdb.connect(self.path) as connection:
            connection.execute("SET TimeZone = 'UTC'")
            if not connection.execute("FROM duckdb_tables() WHERE table_name = 'dim_customer'").fetchall():
                return []
            result = connection.execute("SELECT * FROM shop.dim_customer")
            names = [column[0] for column in result.description]
            return [dict(zip(names, row)) for row in result.fetchall()]

    def close(self):
        self.folder.cleanup()
