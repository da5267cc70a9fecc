-- CreateTable
CREATE TABLE "stored_figures" (
    "grouping" TEXT NOT NULL,
    "countedAt" TIMESTAMPTZ(3) NOT NULL DEFAULT transaction_timestamp(),
    "figures" JSONB NOT NULL,

    CONSTRAINT "stored_figures_pkey" PRIMARY KEY ("grouping")
);
