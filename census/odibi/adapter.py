"""odibi 3.15.1: its transformer scd2 on a Parquet file, by the engine that CENSUS_ODIBI names: pandas or polars."""

import os
import tempfile
from types import SimpleNamespace

import pandas
import polars
from odibi.enums import EngineType
from odibi.transformers.scd import SCD2Params, scd2

ENGINE = os.environ.get("CENSUS_ODIBI", "pandas")

SCD2CHECK = {
    "feed": "delta",
    "deletes": "never",
    "late": "never",
    "columns": {
        "key": ["customer_id", "branch"],
        "tracked": ["customer_segment", "points bigint"],
        "untracked": ["street"],
        "validFrom": "valid_from",
        "validTo": "valid_to",
        "isCurrent": "is_current",
    },
}

NAMES = ["customer_id", "branch", "customer_segment", "points", "street"]
POLARS = {
    **{name: polars.String for name in NAMES},
    "points": polars.Int64,
    "loaded_at": polars.Datetime("us"),
}
PANDAS = {**{name: "string" for name in NAMES}, "points": "Int64", "loaded_at": "datetime64[us]"}


class Odibi:
    def __init__(self):
        self.folder = tempfile.TemporaryDirectory()
        self.path = f"{self.folder.name}/dim_customer.parquet"
        kind = EngineType.PANDAS if ENGINE == "pandas" else EngineType.POLARS
        self.context = SimpleNamespace(engine_type=kind, engine=None, with_df=lambda frame: SimpleNamespace(df=frame))
        self.params = SCD2Params(
            target=self.path,
            keys=["customer_id", "branch"],
            track_cols=["customer_segment", "points"],
            effective_time_col="loaded_at",
        )

    def apply(self, rows, as_of):
        stamped = [{**row, "loaded_at": as_of} for row in rows]
        if ENGINE == "pandas":
            # Column by column: a frame made of dicts turns integers beside a None into floats.
            cells = {name: [row[name] for row in stamped] for name in PANDAS}
            frame = pandas.DataFrame({name: pandas.array(cells[name], dtype=kind) for name, kind in PANDAS.items()})
        else:
            frame = polars.DataFrame(stamped, schema=POLARS)
        scd2(self.context, self.params, current=frame)

    def read(self):
        return polars.read_parquet(self.path).drop("loaded_at") if os.path.exists(self.path) else []

    def close(self):
        self.folder.cleanup()
