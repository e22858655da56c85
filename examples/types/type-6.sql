-- Type 6: a row for each version, as in type 2, and on every one of them the segment of today.
--
-- Facts can then be summed by what held at their time (`customer_segment`) or by what holds now (`current_segment`).
-- Each change of the segment overwrites `current_segment` on all rows of the customer, the closed ones too.

-- scd2check:type 6
-- scd2check:current current_segment of customer_segment

-- scd2check:setup
CREATE TABLE snapshot (as_of TIMESTAMP);
CREATE TABLE observation (as_of TIMESTAMP, customer_id VARCHAR, customer_segment VARCHAR, street VARCHAR);

-- scd2check:load
BEGIN;

DELETE FROM observation WHERE as_of = :as_of;
INSERT INTO observation SELECT :as_of, customer_id, customer_segment, street FROM batch;
INSERT INTO snapshot SELECT :as_of WHERE NOT EXISTS (FROM snapshot WHERE as_of = :as_of);

DELETE FROM dimension;
INSERT INTO dimension BY NAME
WITH numbered_snapshot AS (
  SELECT as_of, row_number() OVER in_time AS n, lead(as_of) OVER in_time AS next_as_of
  FROM snapshot
  WINDOW in_time AS (ORDER BY as_of)
),
run AS (
  SELECT
    *,
    n - row_number() OVER (PARTITION BY customer_id, customer_segment ORDER BY n) AS run,
    -- Of a customer who is gone it is the last one. (Plain arg_max skips NULL.)
    arg_max_null(customer_segment, n) OVER (PARTITION BY customer_id) AS current_segment
  FROM observation JOIN numbered_snapshot USING (as_of)
)
SELECT
  customer_id,
  customer_segment,
  current_segment,
  arg_max_null(street, n) AS street,
  min(as_of) AS valid_from,
  arg_max_null(next_as_of, n) AS valid_to,
  valid_to IS NULL AS is_current
FROM run
GROUP BY customer_id, customer_segment, current_segment, run;

COMMIT;
