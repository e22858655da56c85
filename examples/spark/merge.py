"""A daily batch, merged into an Iceberg dimension in two steps: close what changed, then open what is no longer current.

Tested by `npx scd2check examples/spark/merge.py`: the signature says what it takes.
"""


def apply_scd2(spark, dim_ident, src_values_sql, batch_date):
    # `<>` is never true of a NULL: a value that comes or goes would be no change.
    spark.sql(f"""
        MERGE INTO {dim_ident} t
        USING ({src_values_sql}) u
        ON t.nk = u.nk AND t.is_current = true
        WHEN MATCHED AND t.attr IS DISTINCT FROM u.attr
        THEN UPDATE SET t.valid_to = DATE'{batch_date}', t.is_current = false
    """)
    spark.sql(f"""
        INSERT INTO {dim_ident}
        SELECT u.nk, u.attr, DATE'{batch_date}', CAST(NULL AS DATE), true
        FROM ({src_values_sql}) u
        LEFT ANTI JOIN (SELECT nk FROM {dim_ident} WHERE is_current) c ON u.nk = c.nk
    """)
