"""easydw 1.0.6: a DimensionType2 on PostgreSQL, by the clock of the process."""

import os
import typing

if not hasattr(typing, "override"):  # easydw says that Python 3.10 will do, and imports what came with 3.12.
    typing.override = lambda method: method

import polars
from easydw.database import PostgresDatabase
from easydw.dimension import DimensionType2
from sqlalchemy import text

SCD2CHECK = {
    "feed": "delta",
    "deletes": "never",
    "clock": "wall",
    "columns": {
        "key": ["customer_id", "branch"],
        "tracked": ["customer_segment", "points bigint"],
        "validFrom": "creation_date",
        "validTo": "deactivation_date",
        "isCurrent": "current_record",
    },
}

KEYS = ["customer_id", "branch"]
SCHEMA = {"customer_id": polars.String, "branch": polars.String, "customer_segment": polars.String, "points": polars.Int64}
TABLE = """CREATE TABLE dim_customer (
    id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    customer_id TEXT NOT NULL, branch TEXT NOT NULL, customer_segment TEXT, points BIGINT,
    creation_date TIMESTAMPTZ, deactivation_date TIMESTAMPTZ, current_record BOOLEAN)"""


class DimCustomer(DimensionType2):
    def bind(self, df):
        return df


class Easydw:
    def __init__(self):
        names = {"user": "PGUSER", "password": "PGPASSWORD", "host": "PGHOST", "port": "PGPORT", "database": "PGDATABASE"}
        params = {name: os.environ[variable] for name, variable in names.items()}
        self.warehouse = PostgresDatabase(name="warehouse", params=params)
        self.warehouse.connect()
        with self.warehouse.engine.begin() as connection:
            connection.execute(text("DROP TABLE IF EXISTS dim_customer"))
            connection.execute(text(TABLE))
        self.dimension = DimCustomer("dim_customer", self.warehouse)

    def apply(self, rows):
        self.dimension.insert(polars.DataFrame(rows, schema=SCHEMA), keys=KEYS)

    def read(self):
        with self.warehouse.engine.connect() as connection:
            return [dict(row) for row in connection.execute(text("SELECT * FROM dim_customer")).mappings()]

    def close(self):
        self.warehouse.dispose()
