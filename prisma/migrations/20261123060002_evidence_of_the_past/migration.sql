-- What happened before there was an evidence log gets its leaves as well. A migration of its own: the one before locks the
-- events while it adds a column, and this one reads all of them.
INSERT INTO "evidence_pending" ("eventId")
SELECT "id" FROM "events" WHERE "kind" IN ('submitted', 'status_changed', 'erased', 'link_reissued')
ON CONFLICT DO NOTHING;
