"""Inserts a version of what is new or changed, and closes nothing."""


def apply_scd2(spark, dim_ident, src_values_sql, batch_date):
    spark.sql(f"""
        INSERT INTO {dim_ident}
        SELECT u.nk, u.attr, DATE'{batch_date}', CAST(NULL AS DATE), true
        FROM ({src_values_sql}) u
        LEFT ANTI JOIN {dim_ident} c ON u.nk = c.nk AND c.is_current AND u.attr IS NOT DISTINCT FROM c.attr
    """)
