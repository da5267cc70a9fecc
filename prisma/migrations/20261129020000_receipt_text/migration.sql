-- The receipt as text, so that no later change of the app rewrites it. Erasures remove it, like every column that they do not keep.
ALTER TABLE "consent_records" ADD COLUMN "receipt" JSONB;
