-- AlterTable
ALTER TABLE "consent_records" ADD COLUMN     "answers" JSONB,
ADD COLUMN     "answersHash" TEXT,
ADD COLUMN     "reviewed" BOOLEAN NOT NULL DEFAULT false;
