-- A late extract is appended: its rows get versions of their own, but the version they fall into is not cut.
-- scd2check-leads: no-overlap

-- scd2check:setup
CREATE TABLE snapshot (as_of TIMESTAMP, is_late BOOLEAN);
CREATE TABLE observation (as_of TIMESTAMP, customer_id VARCHAR, customer_segment VARCHAR, street VARCHAR);
CREATE TABLE IF NOT EXISTS dimension (
  customer_id VARCHAR, customer_segment VARCHAR, street VARCHAR,
  valid_from TIMESTAMP, valid_to TIMESTAMP, is_current BOOLEAN
);

-- scd2check:load
BEGIN;

DELETE FROM observation WHERE as_of = :as_of;
INSERT INTO observation SELECT :as_of, customer_id, customer_segment, street FROM batch;
INSERT INTO snapshot
SELECT :as_of, EXISTS (FROM snapshot WHERE as_of > :as_of)
WHERE NOT EXISTS (FROM snapshot WHERE as_of = :as_of);

DELETE FROM dimension;
INSERT INTO dimension
WITH numbered_snapshot AS (
  SELECT
    as_of,
    row_number() OVER in_time AS n,
    -- The defect: only a snapshot that came in order ends a version.
    min(as_of) FILTER (NOT is_late)
      OVER (in_time ROWS BETWEEN 1 FOLLOWING AND UNBOUNDED FOLLOWING) AS next_as_of
  FROM snapshot
  WINDOW in_time AS (ORDER BY as_of)
),
compared AS (
  SELECT
    *,
    lag(n) OVER of_key IS DISTINCT FROM n - 1
      OR lag(customer_segment) OVER of_key IS DISTINCT FROM customer_segment AS opens
  FROM observation JOIN numbered_snapshot USING (as_of)
  WINDOW of_key AS (PARTITION BY customer_id ORDER BY n)
),
numbered AS (
  SELECT *, count(*) FILTER (opens) OVER (PARTITION BY customer_id ORDER BY n) AS version
  FROM compared
)
SELECT
  customer_id,
  customer_segment,
  arg_max_null(street, n) AS street,
  min(as_of) AS valid_from,
  arg_max_null(next_as_of, n) AS valid_to,
  valid_to IS NULL AS is_current
FROM numbered
GROUP BY customer_id, customer_segment, version;

COMMIT;
