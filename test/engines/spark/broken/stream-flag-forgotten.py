"""Dates the old version and leaves its flag, so that two are current."""

SCHEMA = "cust_key INT, attr STRING, change_ts TIMESTAMP"


def upsert_scd2(spark, source_dir, table, checkpoint):
    def fold(changes, _batch_id):
        session = changes.sparkSession
        changes.dropDuplicates(["cust_key"]).createOrReplaceTempView("changes")
        session.sql(f"""
            MERGE INTO {table} t USING changes c ON t.cust_key = c.cust_key AND t.valid_to IS NULL
            WHEN MATCHED AND t.attr IS DISTINCT FROM c.attr THEN UPDATE SET t.valid_to = c.change_ts
        """)
        session.sql(f"""
            MERGE INTO {table} t USING changes c ON t.cust_key = c.cust_key AND t.valid_to IS NULL
            WHEN NOT MATCHED THEN INSERT (cust_key, attr, valid_from, valid_to, is_current) VALUES (c.cust_key, c.attr, c.change_ts, NULL, true)
        """)

    query = (
        spark.readStream.schema(SCHEMA)
        .json(source_dir)
        .writeStream.foreachBatch(fold)
        .option("checkpointLocation", checkpoint)
        .trigger(availableNow=True)
        .start()
    )
    query.processAllAvailable()
    query.stop()
