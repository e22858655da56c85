"""Feeds straight into pandas-scd2, without scd2check: prints the versions that it then holds, by the name of the feed.

Its clock is `datetime.now` of its module; here that is set to the instant of each load.
"""

import json
import pathlib
import sys
from contextlib import redirect_stdout
from datetime import datetime

import pandas
import pandas_scd

COLUMNS = ["customer_id", "customer_segment", "city"]


class Clock(datetime):
    shows = None

    @classmethod
    def now(cls, tz=None):
        return cls.shows


pandas_scd.datetime = Clock


def versions_after(batches):
    target = pandas.DataFrame(columns=[*COLUMNS, "start_ts", "end_ts", "is_active"]).astype(
        {"start_ts": "datetime64[us]", "end_ts": "datetime64[us]", "is_active": bool}
    )
    for batch in batches:
        Clock.shows = datetime.fromisoformat(batch["asOf"].removesuffix("Z"))
        cells = {name: [row[name] for row in batch["rows"]] for name in COLUMNS}
        with redirect_stdout(sys.stderr):
            target = pandas_scd.scd2(pandas.DataFrame(cells, dtype=object), target)
    first = target[target.customer_id == batches[0]["rows"][0]["customer_id"]]
    return [
        (None if pandas.isna(row.customer_segment) else row.customer_segment, show(row.start_ts), show(row.end_ts))
        for row in first.itertuples()
    ]


def show(instant):
    return None if pandas.isna(instant) else instant.isoformat()


feeds = [pathlib.Path(path) for path in sys.argv[1:]]
print(json.dumps({feed.stem: versions_after(json.loads(feed.read_text())["batches"]) for feed in feeds}))
