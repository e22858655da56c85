-- A dimension that stays right when loads come late, twice or empty, on PostgreSQL: keep what was observed, derive the rest.
--
-- The idea is that of observation-log.sql. Here the versions are put in order by a MERGE-free load: what was derived takes the
-- place of what was there, in one transaction.
--
-- scd2check:engine postgres

-- scd2check:setup
-- Instants and rows are kept apart, because a snapshot without rows is evidence too: everybody was gone.
CREATE TABLE snapshot (as_of timestamp PRIMARY KEY);
CREATE TABLE observation (as_of timestamp, customer_id text, customer_segment text, street text);
CREATE TABLE dimension (
  customer_id text, customer_segment text, street text,
  valid_from timestamp, valid_to timestamp, is_current boolean
);

-- scd2check:load
-- One transaction: a load that dies half-way leaves nothing behind, and nobody reads a dimension half-built.
BEGIN;

-- A snapshot that is delivered again takes the place of its former self, so a job may run twice.
DELETE FROM observation WHERE as_of = :as_of;
INSERT INTO observation SELECT :as_of, customer_id, customer_segment, street FROM batch;
INSERT INTO snapshot VALUES (:as_of) ON CONFLICT DO NOTHING;

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
),
version AS (
  SELECT
    customer_id,
    customer_segment,
    -- The street makes no version: the last one delivered while the version held.
    (array_agg(street ORDER BY n DESC))[1] AS street,
    min(as_of) AS valid_from,
    -- It ends, exclusively, at the snapshot after the last that showed it. With none yet it is open.
    (array_agg(next_as_of ORDER BY n DESC))[1] AS valid_to
  FROM run
  GROUP BY customer_id, customer_segment, run
)
SELECT *, valid_to IS NULL FROM version;

COMMIT;
