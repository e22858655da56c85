-- Insert before close: the new version is open already when the old one is closed, and is closed with it.
-- scd2check-leads: bounds-valid
-- scd2check:late never

BEGIN;

CREATE TEMP TABLE changed AS
SELECT b.customer_id
FROM batch AS b
JOIN dimension AS d ON d.customer_id = b.customer_id AND d.is_current
WHERE d.customer_segment IS DISTINCT FROM b.customer_segment;

-- Open what has changed, and what has no open version.
INSERT INTO dimension (customer_id, customer_segment, street, valid_from, valid_to, is_current)
SELECT b.customer_id, b.customer_segment, b.street, :as_of, NULL, true
FROM batch AS b
WHERE b.customer_id IN (FROM changed)
  OR b.customer_id NOT IN (SELECT customer_id FROM dimension WHERE is_current);

-- Close what has changed. The defect: by now the new version of such a key is current, too.
UPDATE dimension
SET valid_to = :as_of, is_current = false
WHERE is_current AND customer_id IN (FROM changed);

-- Close what is gone.
UPDATE dimension
SET valid_to = :as_of, is_current = false
WHERE is_current AND customer_id NOT IN (SELECT customer_id FROM batch);

DROP TABLE changed;

COMMIT;
