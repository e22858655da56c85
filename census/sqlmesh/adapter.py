"""SQLMesh 0.236.4: SCD_TYPE_2_BY_TIME or, with CENSUS_SQLMESH=by-column, SCD_TYPE_2_BY_COLUMN, by its DuckDB engine adapter."""

import os

import duckdb
from sqlglot import exp
from sqlmesh.core.engine_adapter.duckdb import DuckDBEngineAdapter

BY_COLUMN = os.environ.get("CENSUS_SQLMESH") == "by-column"
KEYS = ["customer_id", "branch"]
TRACKED = ["customer_segment", "points"]

SCD2CHECK = {
    "contract": "sqlmesh-by-column" if BY_COLUMN else "sqlmesh-by-time",
    "columns": {
        "key": KEYS,
        "tracked": ["customer_segment", "points bigint"],
        "validFrom": "valid_from",
        "validTo": "valid_to",
        "isCurrent": None,
        **({} if BY_COLUMN else {"changedAt": "updated_at timestamp not null"}),
    },
}

SOURCE = {"customer_id": "text", "branch": "text", "customer_segment": "text", "points": "bigint"}
if not BY_COLUMN:
    SOURCE["updated_at"] = "timestamp"
TYPES = {name: exp.DataType.build(kind) for name, kind in SOURCE.items()}
BOUNDS = {name: exp.DataType.build("timestamp") for name in ("valid_from", "valid_to")}


class Sqlmesh:
    def __init__(self):
        self.connection = duckdb.connect()
        self.adapter = DuckDBEngineAdapter(lambda *_: self.connection.cursor())
        self.adapter.create_table("dim_customer", {**TYPES, **BOUNDS})
        self.connection.execute(f"CREATE TABLE extract ({', '.join(f'{name} {kind}' for name, kind in SOURCE.items())})")
        self.is_first = True

    def apply(self, rows, as_of):
        self.connection.execute("DELETE FROM extract")
        places = ", ".join("?" for _ in SOURCE)
        for row in rows:
            self.connection.execute(f"INSERT INTO extract VALUES ({places})", [row[name] for name in SOURCE])
        common = {
            "target_table": "dim_customer",
            "source_table": exp.select(*SOURCE).from_("extract"),
            "unique_key": [exp.column(name) for name in KEYS],
            "valid_from_col": exp.column("valid_from"),
            "valid_to_col": exp.column("valid_to"),
            "execution_time": as_of,
            "invalidate_hard_deletes": True,
            "target_columns_to_types": {**TYPES, **BOUNDS},
            "truncate": self.is_first,
        }
        if BY_COLUMN:
            self.adapter.scd_type_2_by_column(check_columns=[exp.column(name) for name in TRACKED], **common)
        else:
            self.adapter.scd_type_2_by_time(updated_at_col=exp.column("updated_at"), **common)
        self.is_first = False

    def read(self):
        result = self.connection.execute("SELECT * EXCLUDE (updated_at) FROM dim_customer" if not BY_COLUMN else "FROM dim_customer")
        names = [column[0] for column in result.description]
        return [dict(zip(names, row)) for row in result.fetchall()]

    def close(self):
        self.connection.close()
