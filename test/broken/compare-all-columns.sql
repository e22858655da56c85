-- All columns are compared, untracked ones too: a corrected street makes a version.
-- scd2check-leads: no-repeat
-- scd2check:late never

BEGIN;

-- Close every open version that the snapshot does not repeat: it has changed, or is gone.
-- The defect: street has no place here.
UPDATE dimension AS d
SET valid_to = :as_of, is_current = false
WHERE d.is_current
  AND NOT EXISTS (
    FROM batch AS b
    WHERE b.customer_id = d.customer_id
      AND b.customer_segment IS NOT DISTINCT FROM d.customer_segment
      AND b.street IS NOT DISTINCT FROM d.street
  );

-- Open what is delivered and has no open version.
INSERT INTO dimension (customer_id, customer_segment, street, valid_from, valid_to, is_current)
SELECT b.customer_id, b.customer_segment, b.street, :as_of, NULL, true
FROM batch AS b
ANTI JOIN dimension AS d ON d.customer_id = b.customer_id AND d.is_current;

COMMIT;
