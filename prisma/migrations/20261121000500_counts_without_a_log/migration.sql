-- What is counted for the limits is worth nothing after some minutes: it goes to no write-ahead log, so that counting a save
-- waits for no disk. A crash of the database forgets the counts, and nothing else.
ALTER TABLE "rate_limits" SET UNLOGGED;
