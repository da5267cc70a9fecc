-- AlterTable
ALTER TABLE "applications" ADD COLUMN     "batch" TEXT NOT NULL DEFAULT '';

-- CreateIndex
CREATE INDEX "applications_mobile_idx" ON "applications"("mobile");

-- CreateIndex
CREATE INDEX "applications_batch_idx" ON "applications"("batch");
