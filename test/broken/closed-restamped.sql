-- Closed history is stamped again: a close sets the end of all versions of the key.
-- scd2check-leads: closed-stays-closed
-- scd2check:late never

BEGIN;

-- Close every open version that the snapshot does not repeat: it has changed, or is gone.
-- The defect: the closed versions of such a key are updated with its open one.
UPDATE dimension
SET valid_to = :as_of, is_current = false
WHERE customer_id IN (
  SELECT d.customer_id
  FROM dimension AS d
  LEFT JOIN batch AS b ON b.customer_id = d.customer_id
  WHERE d.is_current AND (b.customer_id IS NULL OR b.customer_segment IS DISTINCT FROM d.customer_segment)
);

-- Open what is delivered and has no open version.
INSERT INTO dimension (customer_id, customer_segment, street, valid_from, valid_to, is_current)
SELECT b.customer_id, b.customer_segment, b.street, :as_of, NULL, true
FROM batch AS b
ANTI JOIN dimension AS d ON d.customer_id = b.customer_id AND d.is_current;

COMMIT;
