"""Feeds straight into dbt, without scd2check: prints the versions that DuckDB then holds, by the name of the feed.

CENSUS_SNAPSHOT names the snapshot. dbt runs by the clock; an instant is shown as that of the load in which it was stamped.
"""

import json
import os
import pathlib
import shutil
import sys
import tempfile
from contextlib import redirect_stdout
from datetime import datetime, timezone

import duckdb
from dbt.cli.main import dbtRunner

HERE = pathlib.Path(__file__).parent
SNAPSHOT = os.environ["CENSUS_SNAPSHOT"]
BY_TIME = SNAPSHOT.startswith("timestamp")
TABLE = "customers" if BY_TIME else "accounts"
COLUMNS = "customer_id TEXT, customer_segment TEXT, points BIGINT, street TEXT, updated_at TIMESTAMP"
if not BY_TIME:
    COLUMNS = "customer_id TEXT, branch TEXT, customer_segment TEXT, points BIGINT, street TEXT"


def versions_after(batches):
    with tempfile.TemporaryDirectory() as folder:
        project = shutil.copytree(HERE, f"{folder}/project", ignore=shutil.ignore_patterns("*.ts", "*.json", "*.py"))
        path = f"{folder}/warehouse.duckdb"
        pathlib.Path(project, "profiles.yml").write_text(
            f"census: {{target: dev, outputs: {{dev: {{type: duckdb, path: {path}}}}}}}\n"
        )
        loads = []
        for batch in batches:
            with duckdb.connect(path) as connection:
                connection.execute(f"CREATE OR REPLACE TABLE {TABLE} ({COLUMNS})")
                names = [column.split()[0] for column in COLUMNS.split(", ")]
                for row in batch["rows"]:
                    places = ", ".join("?" for _ in names)
                    connection.execute(f"INSERT INTO {TABLE} VALUES ({places})", [row[name] for name in names])
            with redirect_stdout(sys.stderr):
                started = datetime.now(timezone.utc).replace(tzinfo=None)
                command = ["snapshot", "--select", SNAPSHOT, "--project-dir", str(project), "--profiles-dir", str(project)]
                result = dbtRunner().invoke(command)
            assert result.success, result.exception
            ended = datetime.now(timezone.utc).replace(tzinfo=None)
            loads.append((started, ended, batch["asOf"].removesuffix("Z")))
        first = batches[0]["rows"][0]["customer_id"]
        with duckdb.connect(path) as connection:
            rows = connection.execute(
                f"SELECT customer_segment, dbt_valid_from, dbt_valid_to FROM {SNAPSHOT} WHERE customer_id = ?", [first]
            ).fetchall()
        return [(segment, show(start, loads), show(end, loads)) for segment, start, end in rows]


def show(instant, loads):
    if instant is None:
        return None
    by_clock = [as_of for started, ended, as_of in loads if started <= instant <= ended]
    return by_clock[0] if by_clock else instant.isoformat(timespec="microseconds")


feeds = [pathlib.Path(path) for path in sys.argv[1:]]
print(json.dumps({feed.stem: versions_after(json.loads(feed.read_text())["batches"]) for feed in feeds}))
