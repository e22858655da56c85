"""dbt itself, without scd2check: what `timestamp` snapshots hold where a row is gone for a load and returns unchanged.

Prints, for each snapshot named on the command line, its rows as [segment, start, whether it ends before it starts, is
open, or is closed]. The clock is the real one; the row was changed long before.
"""

import json
import os
import sys
import tempfile

import duckdb
from dbt.cli.main import dbtRunner

HERE = os.path.dirname(os.path.abspath(__file__))
ROW = "(1, 'A', 1.5, 'Mill Lane 1', timestamp '2026-03-01 06:00:00')"
COLUMNS = "customer_id integer, segment varchar, points decimal(10,2), street varchar, updated_at timestamp"


def load(folder, snapshot, rows):
    with duckdb.connect(os.path.join(folder, "warehouse.duckdb")) as warehouse:
        warehouse.execute(f"create or replace table customers ({COLUMNS})")
        for row in rows:
            warehouse.execute(f"insert into customers values {row}")
    result = dbtRunner().invoke(["--quiet", "snapshot", "--select", snapshot, "--vars", "{by_hand: true}"])
    assert result.success, result


def rows_of(folder, snapshot):
    query = f"""
        select segment, cast(cast(dbt_valid_from as date) as varchar),
            case when dbt_valid_to is null then 'open' when dbt_valid_to < dbt_valid_from then 'negative' else 'closed' end
        from {snapshot} order by all"""
    with duckdb.connect(os.path.join(folder, "warehouse.duckdb")) as warehouse:
        return warehouse.execute(query).fetchall()


def main():
    found = {}
    # The kit's protocol is not used here: dbt may print, so the answer goes to a stream of its own.
    answer = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    with tempfile.TemporaryDirectory() as folder:
        os.symlink(os.path.join(HERE, "shop", "macros"), os.path.join(folder, "macros"))
        for name in ("seeds", "profiles.yml", "dbt_project.yml"):
            os.symlink(os.path.join(HERE, "shop", name), os.path.join(folder, name))
        # dbt alone refuses a project in which any snapshot reads what is not there.
        os.mkdir(os.path.join(folder, "snapshots"))
        for name in os.listdir(os.path.join(HERE, "shop", "snapshots")):
            if not name.startswith("unbuilt"):
                os.symlink(os.path.join(HERE, "shop", "snapshots", name), os.path.join(folder, "snapshots", name))
        os.chdir(folder)
        for snapshot in sys.argv[1:]:
            for rows in ([ROW], [], [ROW]):
                load(folder, snapshot, rows)
            found[snapshot] = rows_of(folder, snapshot)
    json.dump(found, answer)


if __name__ == "__main__":
    main()
