-- SCD type 4 on Delta, as it is taught: the table is overwritten as in type 1, and Delta keeps its versions. The lesson ends with a
-- RESTORE, which is no part of a load: it is kept here to show what it does to one.
--
-- scd2check:engine spark-delta
-- scd2check:type 1
-- scd2check:feed delta
-- scd2check:late never
-- scd2check:deletes never
-- scd2check:key employee_id INTEGER
-- scd2check:tracked email
-- scd2check:batch scdType4NEW
-- scd2check:dimension scdType4

MERGE INTO scdType4
USING scdType4NEW
ON scdType4.employee_id = scdType4NEW.employee_id
WHEN MATCHED THEN UPDATE SET *
WHEN NOT MATCHED THEN INSERT *;

RESTORE TABLE scdType4 TO VERSION AS OF 0;
