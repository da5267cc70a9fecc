-- CreateTable
CREATE TABLE "fresh_link_requests" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "tokenHash" BYTEA NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT transaction_timestamp(),

    CONSTRAINT "fresh_link_requests_pkey" PRIMARY KEY ("id")
);
