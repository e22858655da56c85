"""Feeds straight into easydw, without scd2check: prints the versions that PostgreSQL then holds, by the name of the feed.

An instant is shown as that of the load in which it was stamped. Two different ones of a load are told on the error stream.
"""

import json
import os
import pathlib
import sys
import typing
from datetime import datetime, timezone

if not hasattr(typing, "override"):
    typing.override = lambda method: method

import polars
from easydw.database import PostgresDatabase
from easydw.dimension import DimensionType2
from sqlalchemy import text


class Dim(DimensionType2):
    def bind(self, df):
        return df


NAMES = {"user": "PGUSER", "password": "PGPASSWORD", "host": "PGHOST", "port": "PGPORT", "database": "PGDATABASE"}
SCHEMA = {"customer_id": polars.String, "customer_segment": polars.String}
warehouse = PostgresDatabase(name="by hand", params={name: os.environ[variable] for name, variable in NAMES.items()})
warehouse.connect()


def versions_after(name, batches):
    table = f"by_hand_{name.replace('-', '_')}"
    with warehouse.engine.begin() as connection:
        connection.execute(text(f"DROP TABLE IF EXISTS {table}"))
        connection.execute(
            text(
                f"CREATE TABLE {table} (customer_id TEXT, customer_segment TEXT, "
                "creation_date TIMESTAMPTZ, deactivation_date TIMESTAMPTZ, current_record BOOLEAN)"
            )
        )
    dimension = Dim(table, warehouse)
    loads = []
    for batch in batches:
        rows = [{name: row[name] for name in SCHEMA} for row in batch["rows"]]
        started = datetime.now(timezone.utc)
        dimension.insert(polars.DataFrame(rows, schema=SCHEMA), keys=["customer_id"])
        loads.append((started, datetime.now(timezone.utc), batch["asOf"].removesuffix("Z")))
    with warehouse.engine.connect() as connection:
        query = f"SELECT customer_segment, creation_date, deactivation_date FROM {table} ORDER BY creation_date"
        rows = connection.execute(text(query)).fetchall()
    for (_, _, end), (_, start, _) in zip(rows, rows[1:]):
        if end != start:
            print(f"{name}: one ends at {end}, the next begins at {start}", file=sys.stderr)
    return [(segment, show(start, loads), show(end, loads)) for segment, start, end in rows]


def show(instant, loads):
    if instant is None:
        return None
    return next(as_of for started, ended, as_of in loads if started <= instant <= ended)


feeds = [pathlib.Path(path) for path in sys.argv[1:]]
shown = {feed.stem: versions_after(feed.stem, json.loads(feed.read_text())["batches"]) for feed in feeds}
print(json.dumps(shown))
