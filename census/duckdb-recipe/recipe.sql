-- After the guide "Merge Statement for SCD Type 2" of DuckDB's documentation: a MERGE closes what changed or is gone and inserts what is
-- new, an INSERT then opens the new versions of what changed. Names are this file's, the statements do what the guide's do.
--
-- scd2check:grain day
-- scd2check:clock moved
-- scd2check:end inclusive
-- scd2check:late never
-- scd2check:key customer_id
-- scd2check:tracked customer_segment
-- scd2check:tracked city
-- scd2check:surrogateKey record_id INTEGER
-- scd2check:validFrom begin_date
-- scd2check:validTo end_date
-- scd2check:dimension dim_customer

-- scd2check:setup
CREATE TABLE dim_customer (
  record_id INTEGER PRIMARY KEY, customer_id VARCHAR NOT NULL, customer_segment VARCHAR, city VARCHAR,
  begin_date DATE NOT NULL, end_date DATE, is_current BOOLEAN NOT NULL DEFAULT true
);
CREATE SEQUENCE record_number START 1;

-- scd2check:load
-- "Wrap MERGE and INSERT statements in a transaction when needed."
BEGIN;
MERGE INTO dim_customer AS target
USING batch AS source
ON target.customer_id = source.customer_id AND target.is_current = true
WHEN MATCHED AND (target.customer_segment <> source.customer_segment OR target.city <> source.city)
  THEN UPDATE SET end_date = current_date - INTERVAL '1 day', is_current = false
WHEN NOT MATCHED BY SOURCE AND target.is_current = true
  THEN UPDATE SET end_date = current_date - INTERVAL '1 day', is_current = false
WHEN NOT MATCHED BY TARGET
  THEN INSERT (record_id, customer_id, customer_segment, city, begin_date, end_date, is_current)
  VALUES (nextval('record_number'), source.customer_id, source.customer_segment, source.city, current_date, NULL, true);

INSERT INTO dim_customer (record_id, customer_id, customer_segment, city, begin_date, end_date, is_current)
SELECT nextval('record_number'), source.customer_id, source.customer_segment, source.city, current_date, NULL, true
FROM batch AS source
JOIN dim_customer AS target ON source.customer_id = target.customer_id
WHERE target.is_current = false AND target.end_date = current_date - INTERVAL '1 day';
COMMIT;
