"""The same pattern by the Python interface of Delta: one merge on the surrogate key, then all ids are given anew."""

from delta.tables import DeltaTable
from pyspark.sql.functions import col, lit

SCD2CHECK = {
    "key": "employee_id INTEGER",
    "tracked": ["last_name", "address_street"],
    "surrogateKey": "id INTEGER",
    "validFrom": "start_date",
    "validTo": "end_date",
    "isCurrent": None,
}


def apply_scd2(spark, dim_ident, src_values_sql, batch_date):
    new = spark.sql(src_values_sql)
    held = spark.table(dim_ident)
    employees = [row.employee_id for row in new.select("employee_id").distinct().collect()]
    changes = new.selectExpr(
        "CAST(NULL AS INT) AS id", "*", f"DATE'{batch_date}' AS start_date", "CAST(NULL AS DATE) AS end_date"
    ).unionByName(held.where(col("employee_id").isin(employees)))
    (
        DeltaTable.forName(spark, dim_ident)
        .alias("original")
        .merge(changes.alias("updates"), "original.id = updates.id")
        .whenMatchedUpdate(set={"end_date": lit(batch_date).cast("date")})
        .whenNotMatchedInsertAll()
        .execute()
    )
    columns = ["employee_id", "last_name", "address_street", "ROW_NUMBER() OVER (ORDER BY id NULLS LAST) - 1 AS id"]
    spark.table(dim_ident).selectExpr(*columns, "start_date", "end_date").write.insertInto(dim_ident, overwrite=True)
