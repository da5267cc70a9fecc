import "server-only";
import { PrismaPg } from "@prisma/adapter-pg";
import { PrismaClient } from "@/prisma/generated/client";
import { database } from "./client";

// On globalThis, as the pool is (client.ts).
const kept = globalThis as { rentAdvancePrisma?: PrismaClient };

/** A named statement is prepared, and each connection parses it only once. */
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

/** Prisma on the pool of this process. The most frequent statements bypass it (query.ts). */
export function prisma(): PrismaClient {
  kept.rentAdvancePrisma ??= open();
  return kept.rentAdvancePrisma;
}
