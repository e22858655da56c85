-- SCD type 3 on Delta, as it is taught: rows that changed bring the value that was there, new rows none.
--
-- scd2check:engine spark-delta
-- scd2check:type 3
-- scd2check:feed delta
-- scd2check:late never
-- scd2check:deletes never
-- scd2check:key employee_id INTEGER
-- scd2check:tracked address_country
-- scd2check:previous previous_country of address_country
-- scd2check:batch scdType3NEW
-- scd2check:dimension scdType3

MERGE INTO scdType3
USING (
  SELECT scdType3NEW.*, scdType3.address_country AS previous_country
  FROM scdType3NEW
  INNER JOIN scdType3
    ON scdType3.employee_id = scdType3NEW.employee_id
    AND scdType3.address_country <> scdType3NEW.address_country
  UNION
  SELECT scdType3NEW.*, NULL AS previous_country
  FROM scdType3NEW
  LEFT JOIN scdType3 ON scdType3.employee_id = scdType3NEW.employee_id
  WHERE scdType3.employee_id IS NULL
) AS scd3ChangeRows
ON scdType3.employee_id = scd3ChangeRows.employee_id
WHEN MATCHED THEN UPDATE SET *
WHEN NOT MATCHED THEN INSERT *;
