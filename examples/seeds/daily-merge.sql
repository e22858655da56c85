-- The exercise "SCD2 with MERGE INTO" (close, then insert), written as its hints say.
--
-- scd2check:contract daily-merge
-- scd2check:key nk INTEGER
-- scd2check:tracked attr
-- scd2check:batch source_rows

-- Step 1: close every current row whose attribute changed.
MERGE INTO dimension AS t
USING source_rows AS u
ON t.nk = u.nk AND t.is_current = true
WHEN MATCHED AND t.attr <> u.attr THEN
  UPDATE SET valid_to = :as_of, is_current = false;

-- Step 2: open a version for every key that has no current row: those just closed, and new ones.
INSERT INTO dimension (nk, attr, valid_from, valid_to, is_current)
SELECT u.nk, u.attr, :as_of, NULL, true
FROM source_rows AS u
ANTI JOIN dimension AS t ON t.nk = u.nk AND t.is_current = true;
