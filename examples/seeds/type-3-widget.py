"""SCD type 3 on Delta, as it is taught with a widget: the column that changes is a parameter, and so is the name of its previous value."""

from delta.tables import DeltaTable

SCD2CHECK = {
    "type": "3",
    "key": "employee_id INTEGER",
    "tracked": "address_country",
    "previous": "previous_address_country of address_country",
}

#: What `dbutils.widgets.get("changingColumn")` gives.
CHANGING_COLUMN = "address_country"


def apply_scd2(spark, dim_ident, src_values_sql, batch_date):
    column = CHANGING_COLUMN
    changes = spark.sql(f"""
        SELECT new.*, held.{column} AS previous_{column} FROM ({src_values_sql}) new
        INNER JOIN {dim_ident} held ON held.employee_id = new.employee_id AND held.{column} <> new.{column}
        UNION
        SELECT new.*, NULL AS previous_{column} FROM ({src_values_sql}) new
        LEFT JOIN {dim_ident} held ON held.employee_id = new.employee_id
        WHERE held.employee_id IS NULL
    """)
    (
        DeltaTable.forName(spark, dim_ident)
        .alias("original3")
        .merge(changes.alias("updates3"), "original3.employee_id = updates3.employee_id")
        .whenMatchedUpdateAll()
        .whenNotMatchedInsertAll()
        .execute()
    )
