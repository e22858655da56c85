-- A system-versioned table of MariaDB: the load brings it to the state of the snapshot, and the server keeps the history.
--
-- scd2check:engine mysql
-- scd2check:clock moved
-- scd2check:late never
-- scd2check:key customer_id TEXT(40)
-- scd2check:tracked customer_segment TEXT(40)
-- scd2check:tracked points BIGINT
-- scd2check:validFrom row_start
-- scd2check:validTo row_end
-- scd2check:openMarker 2038-01-19 03:14:07.999999
-- scd2check:isCurrent none
-- scd2check:dimension dim_customer

-- scd2check:setup
CREATE TABLE customer (
  customer_id VARCHAR(40) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin PRIMARY KEY,
  customer_segment VARCHAR(40) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin, points BIGINT
) WITH SYSTEM VERSIONING;
CREATE VIEW dim_customer AS
SELECT customer_id, customer_segment, points, row_start, row_end FROM customer FOR SYSTEM_TIME ALL;

-- scd2check:load
DELETE FROM customer WHERE customer_id NOT IN (SELECT customer_id FROM batch);
UPDATE customer JOIN batch USING (customer_id)
SET customer.customer_segment = batch.customer_segment, customer.points = batch.points
WHERE NOT (customer.customer_segment <=> batch.customer_segment AND customer.points <=> batch.points);
INSERT INTO customer SELECT customer_id, customer_segment, points FROM batch
WHERE customer_id NOT IN (SELECT customer_id FROM customer);
