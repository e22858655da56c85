-- Type 3: as type 1, with the previous segment in a column of its own.
--
-- The previous segment is the last one that was another: an extract that repeats the segment leaves it alone. A late
-- extract can still become the previous one, which the table cannot know, so that the extracts are kept.

-- scd2check:type 3
-- scd2check:previous previous_segment of customer_segment

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
  SELECT as_of, row_number() OVER (ORDER BY as_of) AS n FROM snapshot
),
seen AS (
  SELECT
    *,
    -- Snapshots in a row that show a customer differ from their count by the same number. Who was gone in between
    -- begins anew, without a previous segment.
    n - row_number() OVER (PARTITION BY customer_id ORDER BY n) AS stay
  FROM observation JOIN numbered_snapshot USING (as_of)
)
SELECT
  now.customer_id,
  now.customer_segment,
  now.street,
  arg_max_null(earlier.customer_segment, earlier.n)
    FILTER (WHERE earlier.n IS NOT NULL AND earlier.customer_segment IS DISTINCT FROM now.customer_segment) AS previous_segment
FROM seen AS now
LEFT JOIN seen AS earlier
  ON earlier.customer_id = now.customer_id AND earlier.stay = now.stay AND earlier.n < now.n
WHERE now.n = (SELECT max(n) FROM numbered_snapshot)
GROUP BY ALL;

COMMIT;
