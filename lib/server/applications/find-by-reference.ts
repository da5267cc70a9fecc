import "server-only";
import { readReference } from "@/lib/domain/reference";
import { query } from "@/lib/server/db/query";

interface Found {
  id: string;
  reference: string;
  source: string;
}

/** Accepts lower case, and a reference without the dash. Throws an error whose message a command can print. */
export async function findByReference(reference: string): Promise<Found> {
  const text = "SELECT id, reference, source FROM applications WHERE reference = $1";
  const { rows } = await query<Found>({ text, values: [readReference(reference)] });
  const [found] = rows;
  if (!found) throw new Error(`There is no application ${reference}.`);
  return found;
}
