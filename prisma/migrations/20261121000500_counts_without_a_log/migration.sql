-- The counts of the rate limits are worthless after some minutes. An unlogged table has no write-ahead log, so counting a
-- save waits for no disk. A crash of Postgres empties this table, and no other.
ALTER TABLE "rate_limits" SET UNLOGGED;
