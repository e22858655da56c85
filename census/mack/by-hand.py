"""Feeds straight into mack, without scd2check: prints the versions that the Delta table then holds, by the name of the feed."""

import json
import os
import pathlib
import sys
import tempfile
from datetime import datetime

os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
os.environ["TZ"] = "UTC"

import mack
from delta import DeltaTable, configure_spark_with_delta_pip
from pyspark.sql import SparkSession

folder = tempfile.TemporaryDirectory()
spark = configure_spark_with_delta_pip(
    SparkSession.builder.master("local[1]")
    .config("spark.sql.extensions", "io.delta.sql.DeltaSparkSessionExtension")
    .config("spark.sql.catalog.spark_catalog", "org.apache.spark.sql.delta.catalog.DeltaCatalog")
    .config("spark.sql.session.timeZone", "UTC")
    .config("spark.sql.shuffle.partitions", "1")
    .config("spark.ui.enabled", "false")
).getOrCreate()


def versions_after(name, batches):
    path = f"{folder.name}/{name}"
    columns = "id STRING, segment STRING, is_current BOOLEAN, effective_time TIMESTAMP, end_time TIMESTAMP"
    spark.createDataFrame([], columns).write.format("delta").save(path)
    for batch in batches:
        instant = datetime.fromisoformat(batch["asOf"].removesuffix("Z"))
        rows = [(row["customer_id"], row["customer_segment"], instant) for row in batch["rows"]]
        updates = spark.createDataFrame(rows, "id STRING, segment STRING, effective_time TIMESTAMP")
        mack.type_2_scd_upsert(DeltaTable.forPath(spark, path), updates, "id", ["segment"])
    first = batches[0]["rows"][0]["customer_id"]
    rows = [row for row in spark.read.format("delta").load(path).collect() if row.id == first]
    return [(row.segment, show(row.effective_time), show(row.end_time)) for row in rows]


def show(instant):
    return None if instant is None else instant.isoformat(timespec="microseconds")


feeds = [pathlib.Path(path) for path in sys.argv[1:]]
shown = {feed.stem: versions_after(feed.stem, json.loads(feed.read_text())["batches"]) for feed in feeds}
print(json.dumps(shown))
