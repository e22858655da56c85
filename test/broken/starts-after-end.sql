-- A gap at each change: the new version starts a second after the old one ended.
-- scd2check-leads: contiguous
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

-- Open what is new, or came back.
INSERT INTO dimension (customer_id, customer_segment, street, valid_from, valid_to, is_current)
SELECT b.customer_id, b.customer_segment, b.street, :as_of, NULL, true
FROM batch AS b
WHERE b.customer_id NOT IN (SELECT customer_id FROM dimension WHERE is_current OR valid_to = :as_of);

-- Open the next version of what was closed just now. The defect: not at the instant it was closed.
INSERT INTO dimension (customer_id, customer_segment, street, valid_from, valid_to, is_current)
SELECT b.customer_id, b.customer_segment, b.street, :as_of + INTERVAL 1 SECOND, NULL, true
FROM batch AS b
WHERE b.customer_id IN (SELECT customer_id FROM dimension WHERE valid_to = :as_of);

COMMIT;
