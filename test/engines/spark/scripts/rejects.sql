-- scd2check:engine spark
-- scd2check:contract daily-merge
-- scd2check:duplicates reject
-- scd2check:key nk INTEGER
-- scd2check:tracked attr
-- Not with HAVING: Spark evaluates what is selected before it filters groups.
SELECT CASE WHEN count(*) > 1 THEN raise_error('rejected: a key is delivered twice') END
FROM batch GROUP BY nk;
MERGE INTO dimension t
USING batch s ON t.nk = s.nk AND t.is_current = true
WHEN MATCHED AND t.attr IS DISTINCT FROM s.attr
  THEN UPDATE SET valid_to = :as_of, is_current = false;
INSERT INTO dimension
SELECT s.nk, s.attr, :as_of, CAST(NULL AS DATE), true
FROM batch s
LEFT JOIN dimension c ON c.nk = s.nk AND c.is_current = true
WHERE c.nk IS NULL OR c.attr IS DISTINCT FROM s.attr;
