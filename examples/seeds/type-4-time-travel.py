"""SCD type 4 on Delta, as it is taught: the table is overwritten as in type 1, and its history is read by time travel.

Each commit carries the instant of its batch, since the time that Delta gives it is when the job ran. The history is made of the versions of
the table: of each employee, the first version of the table that shows a state, and the one that shows the next.
"""

import tempfile
import uuid

from pyspark.sql import DataFrame

SCD2CHECK = {
    "type": "4",
    "format": "delta",
    "feed": "delta",
    "late": "never",
    "deletes": "never",
    "key": "employee_id INTEGER",
    "tracked": "email",
}

FOLDER = tempfile.mkdtemp(prefix="scd-type-4-")
AS_OF = "spark.databricks.delta.commitInfo.userMetadata"
table = ""


def apply_scd2(state: DataFrame, extract: DataFrame, keys, as_of) -> DataFrame:
    global table
    spark = extract.sparkSession
    if state is None:
        table = f"delta.`{FOLDER}/{uuid.uuid4().hex}`"
        spark.sql(f"CREATE TABLE {table} (employee_id INT, email STRING) USING delta")
    extract.createOrReplaceTempView("scdType4NEW")
    spark.conf.set(AS_OF, str(as_of))
    try:
        spark.sql(f"""
            MERGE INTO {table} AS scdType4 USING scdType4NEW
            ON scdType4.employee_id = scdType4NEW.employee_id
            WHEN MATCHED THEN UPDATE SET *
            WHEN NOT MATCHED THEN INSERT *
        """)
    finally:
        spark.conf.unset(AS_OF)
    current = spark.sql(f"SELECT *, CAST(NULL AS TIMESTAMP) AS valid_from, CAST(NULL AS TIMESTAMP) AS valid_to, false AS in_history FROM {table}")
    return current.unionByName(history(spark))


def history(spark) -> DataFrame:
    commits = spark.sql(f"DESCRIBE HISTORY {table}").where("userMetadata IS NOT NULL").orderBy("version").collect()
    versions = " UNION ALL ".join(
        f"SELECT *, TIMESTAMP'{commit.userMetadata}' AS as_of FROM {table} VERSION AS OF {commit.version}" for commit in commits
    )
    return spark.sql(f"""
        WITH compared AS (
            SELECT *, lag(struct(email)) OVER of_key <=> struct(email) AS is_same FROM ({versions})
            WINDOW of_key AS (PARTITION BY employee_id ORDER BY as_of))
        SELECT employee_id, email, as_of AS valid_from,
            lead(as_of) OVER (PARTITION BY employee_id ORDER BY as_of) AS valid_to, true AS in_history
        FROM compared WHERE NOT is_same
    """)
