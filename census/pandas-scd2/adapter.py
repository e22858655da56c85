"""pandas-scd2 1.0.3: its function scd2, by the clock of the process, the target given back to it at each load."""

import pandas
from pandas_scd import scd2

ATTRIBUTES = ["customer_id", "branch", "customer_segment", "city"]

SCD2CHECK = {
    "feed": "snapshot",
    "deletes": "close",
    "clock": "moved",
    "grain": "second",
    "late": "never",
    "columns": {
        "key": ATTRIBUTES[:2],
        "tracked": ATTRIBUTES[2:],  # `cols_to_track`: "default is all columns from the source table"
        "validFrom": "start_ts",
        "validTo": "end_ts",
        "isCurrent": "is_active",
    },
}


class PandasScd2:
    def __init__(self):
        # "target can be empty"
        self.target = pandas.DataFrame(
            {
                **{name: pandas.Series(dtype=str) for name in ATTRIBUTES},
                **{name: pandas.Series(dtype="datetime64[us]") for name in ("start_ts", "end_ts")},
                "is_active": pandas.Series(dtype=bool),
            }
        )

    def apply(self, rows):
        source = pandas.DataFrame([[row[name] for name in ATTRIBUTES] for row in rows], columns=ATTRIBUTES, dtype=object)
        self.target = scd2(source.astype(str).where(source.notna(), None), self.target)

    def read(self):
        return self.target
