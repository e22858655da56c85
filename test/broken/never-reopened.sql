-- Never reopened: a key that was deleted once gets no version when it comes back.
-- scd2check-leads: open-count
-- scd2check:late never

BEGIN;

-- Close every open version that the snapshot does not repeat: it has changed, or is gone.
UPDATE dimension AS d
SET valid_to = :as_of, is_current = false
WHERE d.is_current
  AND NOT EXISTS (
    FROM batch AS b
    WHERE b.customer_id = d.customer_id AND b.customer_segment IS NOT DISTINCT FROM d.customer_segment
  );

-- Open what is new, and what was closed just now. The defect: what an earlier load closed is neither.
INSERT INTO dimension (customer_id, customer_segment, street, valid_from, valid_to, is_current)
SELECT b.customer_id, b.customer_segment, b.street, :as_of, NULL, true
FROM batch AS b
WHERE b.customer_id NOT IN (SELECT customer_id FROM dimension)
  OR b.customer_id IN (SELECT customer_id FROM dimension WHERE valid_to = :as_of);

COMMIT;
