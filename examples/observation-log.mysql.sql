-- A dimension that stays right when loads come late, twice or empty, on MySQL and MariaDB: keep what was observed, derive the rest.
--
-- The idea is that of observation-log.sql. The server is named on the command line: --engine mysql://user@host:3306/database
--
-- scd2check:engine mysql

-- scd2check:setup
-- Instants and rows are kept apart, because a snapshot without rows is evidence too: everybody was gone.
CREATE TABLE snapshot (as_of DATETIME(6) PRIMARY KEY);
CREATE TABLE observation (as_of DATETIME(6), customer_id TEXT, customer_segment TEXT, street TEXT, INDEX (as_of));
CREATE TABLE dimension (
  customer_id TEXT, customer_segment TEXT, street TEXT,
  valid_from DATETIME(6), valid_to DATETIME(6), is_current BOOLEAN
);

-- scd2check:load
-- One transaction: a load that dies half-way leaves nothing behind, and nobody reads a dimension half-built.
START TRANSACTION;

-- A snapshot that is delivered again takes the place of its former self, so a job may run twice.
DELETE FROM observation WHERE as_of = :as_of;
INSERT INTO observation SELECT :as_of, customer_id, customer_segment, street FROM batch;
INSERT IGNORE INTO snapshot VALUES (:as_of);

DELETE FROM dimension;
INSERT INTO dimension
WITH numbered_snapshot AS (
  SELECT as_of, row_number() OVER (ORDER BY as_of) AS n, lead(as_of) OVER (ORDER BY as_of) AS next_as_of
  FROM snapshot
),
run AS (
  SELECT
    observation.*,
    n,
    next_as_of,
    -- Snapshots in a row that show a key in the same state differ from their count by the same number. NULL is a
    -- state like any other here: a window puts NULLs together, where `<>` would not see a change to or from one.
    CAST(n AS SIGNED)
      - CAST(row_number() OVER (PARTITION BY customer_id, customer_segment ORDER BY n) AS SIGNED) AS run
  FROM observation JOIN numbered_snapshot ON numbered_snapshot.as_of = observation.as_of
),
ranked AS (
  SELECT
    run.*,
    min(as_of) OVER (PARTITION BY customer_id, customer_segment, run) AS valid_from,
    row_number() OVER (PARTITION BY customer_id, customer_segment, run ORDER BY n DESC) AS from_the_end
  FROM run
)
-- The last snapshot that showed a version says its street, which makes no version, and with the snapshot after that it ends, exclusively.
-- With none yet it is open.
SELECT customer_id, customer_segment, street, valid_from, next_as_of, next_as_of IS NULL
FROM ranked
WHERE from_the_end = 1;

COMMIT;
