import { closeDatabase } from "@/lib/server/db/client";

/** Makes what `invited` and commands in this process write to another database, for as long as `use` takes. */
export async function on<T>(url: string, use: () => Promise<T>): Promise<T> {
  const usual = process.env.DATABASE_URL;
  await closeDatabase();
  process.env.DATABASE_URL = url;
  return use().finally(async () => {
    await closeDatabase();
    process.env.DATABASE_URL = usual;
  });
}
