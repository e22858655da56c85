-- Type 1: one row for each customer, overwritten. What was before is gone.
--
-- The table shows the present and nothing else, so a late extract has nothing to say in it. All that has to be
-- remembered for that is the instant of the newest one.

-- scd2check:type 1

-- scd2check:setup
CREATE TABLE newest (as_of TIMESTAMP);
INSERT INTO newest VALUES ('-infinity');

-- scd2check:load
BEGIN;

DELETE FROM dimension
WHERE :as_of >= (SELECT as_of FROM newest) AND customer_id NOT IN (SELECT customer_id FROM batch);

MERGE INTO dimension AS held
USING (FROM batch WHERE :as_of >= (SELECT as_of FROM newest)) AS latest
ON held.customer_id = latest.customer_id
WHEN MATCHED THEN UPDATE SET customer_segment = latest.customer_segment, street = latest.street
WHEN NOT MATCHED THEN INSERT BY NAME;

UPDATE newest SET as_of = greatest(as_of, :as_of);

COMMIT;
