import "server-only";
import { applyMigrations } from "@/lib/server/database/migrations/apply";

/** Brings DATABASE_URL up to date. A process of its own, because Prisma's engine leaves timers of ten seconds behind. */
applyMigrations(process.env.DATABASE_URL ?? "").then(
  () => process.exit(),
  (error: Error) => {
    process.stderr.write(error.message);
    process.exit(1);
  },
);
