-- AlterTable
ALTER TABLE "applications" ADD COLUMN     "apiKeyId" UUID;

-- CreateTable
CREATE TABLE "api_keys" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "name" TEXT NOT NULL,
    "keyHash" BYTEA NOT NULL,
    "scopes" TEXT[],
    "by" TEXT NOT NULL DEFAULT '',
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT transaction_timestamp(),
    "lastUsedAt" TIMESTAMPTZ(3),
    "revokedAt" TIMESTAMPTZ(3),

    CONSTRAINT "api_keys_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "api_requests" (
    "keyId" UUID NOT NULL,
    "idempotencyKey" TEXT NOT NULL,
    "bodyHash" TEXT NOT NULL,
    "salt" TEXT NOT NULL,
    "answer" JSONB NOT NULL DEFAULT '[]',
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT transaction_timestamp(),

    CONSTRAINT "api_requests_pkey" PRIMARY KEY ("keyId","idempotencyKey")
);

-- CreateIndex
CREATE UNIQUE INDEX "api_keys_name_key" ON "api_keys"("name");

-- CreateIndex
CREATE UNIQUE INDEX "api_keys_keyHash_key" ON "api_keys"("keyHash");

-- CreateIndex
CREATE INDEX "api_requests_createdAt_idx" ON "api_requests" USING BRIN ("createdAt");

-- AddForeignKey
ALTER TABLE "api_requests" ADD CONSTRAINT "api_requests_keyId_fkey" FOREIGN KEY ("keyId") REFERENCES "api_keys"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;
