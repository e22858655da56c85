-- Type 4: a current table, and the history in a table of its own.
--
-- The current table is a view of the history, so that the two cannot disagree. Where it has to be a table, it is
-- filled from the history in the same transaction.

-- scd2check:dimension dim_customer
-- scd2check:history dim_customer_history

-- scd2check:setup
CREATE TABLE snapshot (as_of TIMESTAMP);
CREATE TABLE observation (as_of TIMESTAMP, customer_id VARCHAR, customer_segment VARCHAR, street VARCHAR);
CREATE TABLE dim_customer_history (
  customer_id VARCHAR, customer_segment VARCHAR, street VARCHAR, valid_from TIMESTAMP, valid_to TIMESTAMP
);
CREATE VIEW dim_customer AS
  SELECT customer_id, customer_segment, street FROM dim_customer_history WHERE valid_to IS NULL;

-- scd2check:load
BEGIN;

DELETE FROM observation WHERE as_of = :as_of;
INSERT INTO observation SELECT :as_of, customer_id, customer_segment, street FROM batch;
INSERT INTO snapshot SELECT :as_of WHERE NOT EXISTS (FROM snapshot WHERE as_of = :as_of);

DELETE FROM dim_customer_history;
INSERT INTO dim_customer_history
WITH numbered_snapshot AS (
  SELECT as_of, row_number() OVER in_time AS n, lead(as_of) OVER in_time AS next_as_of
  FROM snapshot
  WINDOW in_time AS (ORDER BY as_of)
),
run AS (
  SELECT *, n - row_number() OVER (PARTITION BY customer_id, customer_segment ORDER BY n) AS run
  FROM observation JOIN numbered_snapshot USING (as_of)
)
SELECT
  customer_id,
  customer_segment,
  arg_max_null(street, n) AS street,
  min(as_of) AS valid_from,
  arg_max_null(next_as_of, n) AS valid_to
FROM run
GROUP BY customer_id, customer_segment, run;

COMMIT;
