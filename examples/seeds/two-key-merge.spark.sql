-- The pattern "SCD Type 2 with one MERGE on the surrogate key" of a set of notebooks for Delta tables: new rows come with no id, the
-- rows of the same employees with theirs; what matches is closed, what does not is inserted, and then all ids are given anew.
--
-- scd2check:engine spark-delta
-- scd2check:contract recipe
-- scd2check:key employee_id INTEGER
-- scd2check:tracked last_name
-- scd2check:tracked address_street
-- scd2check:surrogateKey id INTEGER
-- scd2check:validFrom start_date
-- scd2check:validTo end_date
-- scd2check:isCurrent none
-- scd2check:batch scdType2NEW
-- scd2check:dimension scdType2

-- scd2check:setup
CREATE TABLE scdType2 (
  id INT, employee_id INT, last_name STRING, address_street STRING, start_date DATE, end_date DATE
) USING DELTA;

-- scd2check:load
MERGE INTO scdType2
USING (
  SELECT null AS id, employee_id, last_name, address_street, current_date AS start_date, null AS end_date
  FROM scdType2NEW
  UNION ALL
  SELECT id, employee_id, last_name, address_street, start_date, end_date
  FROM scdType2
  WHERE employee_id IN (SELECT employee_id FROM scdType2NEW)
) scdChangeRows
ON scdType2.id = scdChangeRows.id
WHEN MATCHED THEN UPDATE SET scdType2.end_date = current_date()
WHEN NOT MATCHED THEN INSERT *;

-- Delta gives no numbers by itself.
INSERT OVERWRITE scdType2
SELECT ROW_NUMBER() OVER (ORDER BY id NULLS LAST) - 1 AS id, employee_id, last_name, address_street, start_date, end_date
FROM scdType2;
