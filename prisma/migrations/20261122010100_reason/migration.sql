-- AlterTable
ALTER TABLE "events" ADD COLUMN     "reason" TEXT NOT NULL DEFAULT '';
