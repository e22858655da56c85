-- A dimension that stays right when loads come late, twice or empty: keep what was observed, derive the rest.
--
-- A dimension cannot be repaired from itself. Where A was seen on Monday and again on Wednesday it has one
-- row, from Monday on; when a late Tuesday says B, nothing in it remembers that Wednesday said A. So all
-- snapshots are kept, and the versions are a query over them. Late data needs no code: it is sorted in.

-- scd2check:setup
-- Instants and rows are kept apart, because a snapshot without rows is evidence too: everybody was gone.
CREATE TABLE snapshot (as_of TIMESTAMP);
CREATE TABLE observation (as_of TIMESTAMP, customer_id VARCHAR, customer_segment VARCHAR, street VARCHAR);
CREATE TABLE IF NOT EXISTS dimension (
  customer_id VARCHAR, customer_segment VARCHAR, street VARCHAR,
  valid_from TIMESTAMP, valid_to TIMESTAMP, is_current BOOLEAN
);

-- scd2check:load
-- One transaction: a load that dies half-way leaves nothing behind, and nobody reads a dimension half-built.
BEGIN;

-- A snapshot that is delivered again takes the place of its former self, so a job may run twice.
DELETE FROM observation WHERE as_of = :as_of;
INSERT INTO observation SELECT :as_of, customer_id, customer_segment, street FROM batch;
INSERT INTO snapshot SELECT :as_of WHERE NOT EXISTS (FROM snapshot WHERE as_of = :as_of);

DELETE FROM dimension;
INSERT INTO dimension
WITH numbered_snapshot AS (
  SELECT as_of, row_number() OVER in_time AS n, lead(as_of) OVER in_time AS next_as_of
  FROM snapshot
  WINDOW in_time AS (ORDER BY as_of)
),
run AS (
  SELECT
    *,
    -- Snapshots in a row that show a key in the same state differ from their count by the same number. NULL is a
    -- state like any other here: a window puts NULLs together, where `<>` would not see a change to or from one.
    n - row_number() OVER (PARTITION BY customer_id, customer_segment ORDER BY n) AS run
  FROM observation JOIN numbered_snapshot USING (as_of)
)
SELECT
  customer_id,
  customer_segment,
  -- The street makes no version: the last one delivered while the version held. (Plain arg_max skips NULL.)
  arg_max_null(street, n) AS street,
  min(as_of) AS valid_from,
  -- It ends, exclusively, at the snapshot after the last that showed it. With none yet it is open.
  arg_max_null(next_as_of, n) AS valid_to,
  valid_to IS NULL AS is_current
FROM run
GROUP BY customer_id, customer_segment, run;

COMMIT;
