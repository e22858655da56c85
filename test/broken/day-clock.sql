-- A day-grain clock: stamps are cut to the day, so a version that lived within one day has no length.
-- scd2check-leads: bounds-valid
-- scd2check:late never

BEGIN;

-- The defect is date_trunc, here and below.
-- Close every open version that the snapshot does not repeat: it has changed, or is gone.
UPDATE dimension AS d
SET valid_to = date_trunc('day', :as_of), is_current = false
WHERE d.is_current
  AND NOT EXISTS (
    FROM batch AS b
    WHERE b.customer_id = d.customer_id AND b.customer_segment IS NOT DISTINCT FROM d.customer_segment
  );

-- Open what is delivered and has no open version.
INSERT INTO dimension (customer_id, customer_segment, street, valid_from, valid_to, is_current)
SELECT b.customer_id, b.customer_segment, b.street, date_trunc('day', :as_of), NULL, true
FROM batch AS b
ANTI JOIN dimension AS d ON d.customer_id = b.customer_id AND d.is_current;

COMMIT;
