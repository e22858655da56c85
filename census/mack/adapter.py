"""mack 0.5.0: type_2_scd_upsert on a Delta table, in one local session of Spark."""

import os
import shutil
import tempfile

import mack
from delta import DeltaTable, configure_spark_with_delta_pip
from pyspark.sql import SparkSession
from pyspark.sql.types import BooleanType, LongType, StringType, StructField, StructType, TimestampType

SCD2CHECK = {
    "feed": "delta",
    "deletes": "never",
    "late": "never",
    "columns": {
        "key": ["customer_id"],
        "tracked": ["customer_segment", "points bigint"],
        "validFrom": "effective_time",
        "validTo": "end_time",
        "isCurrent": "is_current",
    },
}

ATTRIBUTES = ["customer_segment", "points"]
SOURCE = [
    StructField("customer_id", StringType()),
    StructField("customer_segment", StringType()),
    StructField("points", LongType()),
    StructField("effective_time", TimestampType()),
]
TABLE = StructType(
    [*SOURCE[:3], StructField("is_current", BooleanType()), SOURCE[3], StructField("end_time", TimestampType())]
)

os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
os.environ["TZ"] = "UTC"  # Python's datetimes without a zone are the machine's to Spark.
FOLDER = tempfile.mkdtemp(prefix="census-mack-")
SPARK = configure_spark_with_delta_pip(
    SparkSession.builder.master("local[1]")
    .config("spark.sql.extensions", "io.delta.sql.DeltaSparkSessionExtension")
    .config("spark.sql.catalog.spark_catalog", "org.apache.spark.sql.delta.catalog.DeltaCatalog")
    .config("spark.sql.session.timeZone", "UTC")
    .config("spark.sql.shuffle.partitions", "1")
    .config("spark.databricks.delta.snapshotPartitions", "1")
    .config("spark.ui.enabled", "false")
    .config("spark.sql.warehouse.dir", f"{FOLDER}/warehouse")
).getOrCreate()
SPARK.sparkContext.setLogLevel("ERROR")


class Mack:
    number = 0

    def __init__(self):
        Mack.number += 1
        self.path = f"{FOLDER}/dim_{Mack.number}"
        SPARK.createDataFrame([], TABLE).write.format("delta").save(self.path)
        self.table = DeltaTable.forPath(SPARK, self.path)

    def apply(self, rows, as_of):
        cells = [(row["customer_id"], row["customer_segment"], row["points"], as_of) for row in rows]
        updates = SPARK.createDataFrame(cells, StructType(SOURCE))
        mack.type_2_scd_upsert(self.table, updates, "customer_id", ATTRIBUTES)

    def read(self):
        rows = SPARK.read.format("delta").load(self.path).collect()
        return [row.asDict() for row in rows]

    def close(self):
        shutil.rmtree(self.path, ignore_errors=True)
