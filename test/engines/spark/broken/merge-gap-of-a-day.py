"""Closes a version on the day before the next one begins."""


def apply_scd2(spark, dim_ident, src_values_sql, batch_date):
    spark.sql(f"""
        MERGE INTO {dim_ident} t USING ({src_values_sql}) u ON t.nk = u.nk AND t.is_current = true
        WHEN MATCHED AND t.attr IS DISTINCT FROM u.attr THEN UPDATE SET t.valid_to = date_sub(DATE'{batch_date}', 1), t.is_current = false
    """)
    spark.sql(f"""
        INSERT INTO {dim_ident}
        SELECT u.nk, u.attr, DATE'{batch_date}', CAST(NULL AS DATE), true
        FROM ({src_values_sql}) u LEFT ANTI JOIN (SELECT nk FROM {dim_ident} WHERE is_current) c ON u.nk = c.nk
    """)
