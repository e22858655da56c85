-- A delta is taken for a snapshot: keys that it does not mention are closed, though nothing was said of them.
-- scd2check-leads: untouched-keys
-- scd2check:feed delta
-- scd2check:deletes never
-- scd2check:late never

BEGIN;

-- Close every open version that the batch does not repeat. The defect: it repeats only what has changed.
UPDATE dimension AS d
SET valid_to = :as_of, is_current = false
WHERE d.is_current
  AND NOT EXISTS (
    FROM batch AS b
    WHERE b.customer_id = d.customer_id AND b.customer_segment IS NOT DISTINCT FROM d.customer_segment
  );

-- Open what is delivered and has no open version.
INSERT INTO dimension (customer_id, customer_segment, street, valid_from, valid_to, is_current)
SELECT b.customer_id, b.customer_segment, b.street, :as_of, NULL, true
FROM batch AS b
ANTI JOIN dimension AS d ON d.customer_id = b.customer_id AND d.is_current;

COMMIT;
