-- Overwritten in place: a changed attribute is updated on the open version (type 1), and its history is lost.
-- scd2check-leads: version-count
-- scd2check:late never

BEGIN;

-- The defect: what has changed should be closed here.
MERGE INTO dimension AS d
USING batch AS b
ON d.customer_id = b.customer_id AND d.is_current
WHEN MATCHED AND d.customer_segment IS DISTINCT FROM b.customer_segment THEN
  UPDATE SET customer_segment = b.customer_segment, street = b.street;

-- Close what is gone.
UPDATE dimension
SET valid_to = :as_of, is_current = false
WHERE is_current AND customer_id NOT IN (SELECT customer_id FROM batch);

-- Open what is delivered and has no open version.
INSERT INTO dimension (customer_id, customer_segment, street, valid_from, valid_to, is_current)
SELECT b.customer_id, b.customer_segment, b.street, :as_of, NULL, true
FROM batch AS b
ANTI JOIN dimension AS d ON d.customer_id = b.customer_id AND d.is_current;

COMMIT;
