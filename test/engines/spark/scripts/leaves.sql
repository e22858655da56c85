-- scd2check:engine spark
-- scd2check:contract daily-merge
USE lake.prod;
DELETE FROM customers;
