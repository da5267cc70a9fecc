import "server-only";
import { PrismaPg } from "@prisma/adapter-pg";
import { PrismaClient } from "@/prisma/generated/client";
import { database } from "./client";

// Kept on the process, as the pool is.
const kept = globalThis as { rentAdvancePrisma?: PrismaClient };

/** Same text, same name: Postgres then plans each of our few statements once a connection. */
const statementNames = new Map<string, string>();
function nameStatement({ sql }: { sql: string }): string {
  const name = statementNames.get(sql) ?? `s${statementNames.size}`;
  statementNames.set(sql, name);
  return name;
}

function open(): PrismaClient {
  const opened = database();
  const client = new PrismaClient({ adapter: new PrismaPg(opened.pool, { statementNameGenerator: nameStatement }) });
  opened.leave = async () => {
    kept.rentAdvancePrisma = undefined;
    await client.$disconnect();
  };
  return client;
}

/** Prisma on the pool of this process. What every call of the form does goes past it (find-by-token.ts, save-step.ts): it would double their cost. */
export function prisma(): PrismaClient {
  kept.rentAdvancePrisma ??= open();
  return kept.rentAdvancePrisma;
}
