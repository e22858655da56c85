-- A daily batch in Spark SQL on Iceberg, and who is missing from it is gone: a MERGE closes, an INSERT opens.
-- `<>` is never true of a NULL; `IS DISTINCT FROM` sees a value come and go. And the day comes from outside, by Spark's own parameter
-- marker: two statements that each ask for the date are a day apart where a load runs over midnight.
--
-- scd2check:engine spark
-- scd2check:contract daily-merge
-- scd2check:feed snapshot
-- scd2check:deletes close
-- scd2check:key customer_id INTEGER
-- scd2check:tracked full_name
-- scd2check:tracked country
-- scd2check:batch staged
-- scd2check:dimension my.recipes.dim_customer

-- Step 1: close the current row of any customer whose attributes changed.
MERGE INTO my.recipes.dim_customer t
USING staged s ON t.customer_id = s.customer_id AND t.is_current = true
WHEN MATCHED AND (t.country IS DISTINCT FROM s.country OR t.full_name IS DISTINCT FROM s.full_name)
     THEN UPDATE SET valid_to = :as_of, is_current = false;

-- Step 2: insert a new current row for changed customers and brand-new ones.
INSERT INTO my.recipes.dim_customer
SELECT s.customer_id, s.full_name, s.country,
       :as_of AS valid_from, cast(null AS date) AS valid_to, true AS is_current
FROM staged s
LEFT JOIN my.recipes.dim_customer c
       ON c.customer_id = s.customer_id AND c.is_current = true
WHERE c.customer_id IS NULL
   OR c.country IS DISTINCT FROM s.country
   OR c.full_name IS DISTINCT FROM s.full_name;

-- Step 3: close the current row of any customer who vanished.
MERGE INTO my.recipes.dim_customer t
USING staged s ON t.customer_id = s.customer_id AND t.is_current = true
WHEN NOT MATCHED BY SOURCE AND t.is_current = true
     THEN UPDATE SET valid_to = :as_of, is_current = false;
