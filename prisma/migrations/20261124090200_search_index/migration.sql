-- A transaction of its own, which locks the table for an instant only.
DROP INDEX IF EXISTS "applications_search";
ALTER INDEX IF EXISTS "applications_search_agents" RENAME TO "applications_search";
