-- Hard delete: a key that is missing from the snapshot is removed, with all its history.
-- scd2check-leads: version-count
-- scd2check:late never

BEGIN;

-- The defect: facts of last year lose their customer.
DELETE FROM dimension WHERE customer_id NOT IN (SELECT customer_id FROM batch);

-- Close what has changed.
MERGE INTO dimension AS d
USING batch AS b
ON d.customer_id = b.customer_id AND d.is_current
WHEN MATCHED AND d.customer_segment IS DISTINCT FROM b.customer_segment THEN
  UPDATE SET valid_to = :as_of, is_current = false;

-- Open what is delivered and has no open version.
INSERT INTO dimension (customer_id, customer_segment, street, valid_from, valid_to, is_current)
SELECT b.customer_id, b.customer_segment, b.street, :as_of, NULL, true
FROM batch AS b
ANTI JOIN dimension AS d ON d.customer_id = b.customer_id AND d.is_current;

COMMIT;
