-- A list that is run without --batch is looked up in every batch.
CREATE INDEX "applications_rowHash_idx" ON "applications"("rowHash");
