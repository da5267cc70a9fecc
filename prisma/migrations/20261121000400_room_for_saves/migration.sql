-- An application is saved some four times after its invitation: with room on its page, no index has to follow.
ALTER TABLE "applications" SET (fillfactor = 80);
