-- scd2check:engine spark
-- scd2check:contract daily-merge
-- scd2check:key customer_id INTEGER
-- scd2check:tracked country
-- scd2check:batch lake.staging.customers
-- scd2check:dimension lake.prod.customers
-- Every name is one of a warehouse, in which the tables are: the setup drops them, and a view of it reads the batch.
-- scd2check:setup
DECLARE VARIABLE source_system STRING DEFAULT 'crm';
DROP TABLE IF EXISTS lake . prod . customers;
CREATE TABLE `lake`.prod.customers (
  customer_id INT, country STRING, valid_from DATE, valid_to DATE, is_current BOOLEAN, score FLOAT
) USING iceberg;
CREATE OR REPLACE TEMP VIEW cleaned AS SELECT customer_id, country FROM lake.staging.customers;
-- scd2check:load
MERGE INTO lake.prod.customers t
USING cleaned s ON t.customer_id = s.customer_id AND t.is_current = true
WHEN MATCHED AND t.country IS DISTINCT FROM s.country
  THEN UPDATE SET valid_to = :as_of, is_current = false;
INSERT INTO lake.prod.customers
SELECT s.customer_id, s.country, :as_of, CAST(NULL AS DATE), true, CAST(0.5 AS FLOAT)
FROM cleaned s
LEFT JOIN lake.prod.customers c ON c.customer_id = s.customer_id AND c.is_current = true
WHERE c.customer_id IS NULL OR c.country IS DISTINCT FROM s.country;
