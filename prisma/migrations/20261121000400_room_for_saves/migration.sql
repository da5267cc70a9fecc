-- A row is updated some four times after its invitation. With free space on its page, Postgres puts the new version there
-- (a HOT update) and does not touch the indexes.
ALTER TABLE "applications" SET (fillfactor = 80);
