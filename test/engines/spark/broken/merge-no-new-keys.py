"""Opens what it has closed, and forgets keys that are new."""


def apply_scd2(spark, dim_ident, src_values_sql, batch_date):
    spark.sql(f"""
        MERGE INTO {dim_ident} t USING ({src_values_sql}) u ON t.nk = u.nk AND t.is_current = true
        WHEN MATCHED AND t.attr IS DISTINCT FROM u.attr THEN UPDATE SET t.valid_to = DATE'{batch_date}', t.is_current = false
    """)
    spark.sql(f"""
        INSERT INTO {dim_ident}
        SELECT u.nk, u.attr, DATE'{batch_date}', CAST(NULL AS DATE), true
        FROM ({src_values_sql}) u LEFT SEMI JOIN (SELECT DISTINCT nk FROM {dim_ident} WHERE valid_to = DATE'{batch_date}') c ON u.nk = c.nk
    """)
