-- SCD type 1 on Delta, as it is taught: one MERGE, which overwrites or inserts the rows of the day.
--
-- scd2check:engine spark-delta
-- scd2check:type 1
-- scd2check:feed delta
-- scd2check:late never
-- scd2check:deletes never
-- scd2check:key employee_id INTEGER
-- scd2check:tracked job_title
-- scd2check:batch scdType1NEW
-- scd2check:dimension scdType1

MERGE INTO scdType1
USING scdType1NEW
ON scdType1.employee_id = scdType1NEW.employee_id
WHEN MATCHED THEN UPDATE SET *
WHEN NOT MATCHED THEN INSERT *;
