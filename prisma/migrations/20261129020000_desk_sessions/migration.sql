-- CreateTable
CREATE TABLE "desk_sessions" (
    "hash" BYTEA NOT NULL,
    "by" TEXT NOT NULL,
    "verifiedEmail" TEXT NOT NULL DEFAULT '',
    "groups" TEXT[],
    "startedAt" TIMESTAMPTZ(3) NOT NULL DEFAULT transaction_timestamp(),
    "usedAt" TIMESTAMPTZ(3) NOT NULL DEFAULT transaction_timestamp(),

    CONSTRAINT "desk_sessions_pkey" PRIMARY KEY ("hash")
);
