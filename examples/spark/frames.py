"""`apply_scd2(state, extract, keys, as_of)` over Spark frames, for all seven boundary cases, late loads and late deletes among them.

What is known of a key is a list of points in time: where a version begins, where a gap begins, and what this extract says. The versions
are the points at which something changes.

Tested by `npx scd2check examples/spark/frames.py`: the module uses pyspark, so frames go in and come out.
"""

from pyspark.sql import DataFrame, Window
from pyspark.sql import functions as F

SCD2CHECK = {
    # The dimension is all that is kept: a repeat that changed nothing has left no trace in it.
    "lateEvidence": "dimension",
    "validFrom": "_tech_valid_from",
    "validTo": "_tech_valid_to",
    "isCurrent": "_tech_is_current",
}
TRACKED = ["customer_segment"]
ATTRIBUTES = ["customer_segment", "street"]


def apply_scd2(state: DataFrame, extract: DataFrame, keys, as_of) -> DataFrame:
    now = F.lit(as_of).cast("timestamp")
    points = extract.select(*keys, *ATTRIBUTES, now.alias("at"), F.lit(True).alias("there"))
    if state is not None:
        starts = state.select(*keys, *ATTRIBUTES, F.col("_tech_valid_from").alias("at"), F.lit(True).alias("there"))
        ends = gone(state.where("_tech_valid_to IS NOT NULL").select(*keys, F.col("_tech_valid_to").alias("at")))
        ends = ends.join(starts, [*keys, "at"], "left_anti")
        missing = gone(state.select(*keys).distinct().join(extract, keys, "left_anti").withColumn("at", now))
        known = starts.unionByName(ends).where(F.col("at") != now)
        points = known.unionByName(points).unionByName(missing)

    in_time = Window.partitionBy(*keys).orderBy("at")
    said = F.struct("there", *TRACKED)
    changes = points.withColumn("before", F.lag(said).over(in_time)).where(~F.col("before").eqNullSafe(said))
    return (
        changes.withColumn("_tech_valid_from", F.col("at"))
        .withColumn("_tech_valid_to", F.lead("at").over(in_time))
        .where("there")
        .withColumn("_tech_is_current", F.col("_tech_valid_to").isNull())
        .drop("at", "there", "before")
    )


def gone(frame: DataFrame) -> DataFrame:
    """Points from which on a key is not there."""
    for name in ATTRIBUTES:
        frame = frame.withColumn(name, F.lit(None).cast("string"))
    return frame.withColumn("there", F.lit(False))
