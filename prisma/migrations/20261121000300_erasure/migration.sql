-- AlterEnum
ALTER TYPE "EventKind" ADD VALUE 'erased';

-- AlterTable
ALTER TABLE "applications" ADD COLUMN "erasedAt" TIMESTAMPTZ(3);
