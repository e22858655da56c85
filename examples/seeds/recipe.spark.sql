-- The recipe "Slowly changing dimensions (SCD Type 2)" in Spark SQL on Iceberg, as it is taught.
--
-- scd2check:engine spark
-- scd2check:contract recipe
-- scd2check:key customer_id INTEGER
-- scd2check:tracked full_name
-- scd2check:tracked country
-- scd2check:batch staged
-- scd2check:dimension my.recipes.dim_customer

-- Step 1: close the current row of any customer whose attributes changed.
MERGE INTO my.recipes.dim_customer t
USING staged s ON t.customer_id = s.customer_id AND t.is_current = true
WHEN MATCHED AND (t.country <> s.country OR t.full_name <> s.full_name)
     THEN UPDATE SET valid_to = current_date(), is_current = false;

-- Step 2: insert a new current row for changed customers and brand-new ones.
INSERT INTO my.recipes.dim_customer
SELECT s.customer_id, s.full_name, s.country,
       current_date() AS valid_from, cast(null AS date) AS valid_to, true AS is_current
FROM staged s
LEFT JOIN my.recipes.dim_customer c
       ON c.customer_id = s.customer_id AND c.is_current = true
WHERE c.customer_id IS NULL
   OR c.country <> s.country
   OR c.full_name <> s.full_name;
