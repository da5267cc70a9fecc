import "server-only";
import { type ApplicationRow, rowColumns } from "@/lib/server/db/application-row";
import { query } from "@/lib/server/db/query";

const find = `SELECT ${rowColumns} FROM applications a LEFT JOIN consent_records c ON c."applicationId" = a.id WHERE a.id = $1`;

/** An application as it stands now, within a call that has found it before. */
export async function findById(id: string): Promise<ApplicationRow> {
  const { rows } = await query<ApplicationRow>({ name: "find-by-id", text: find, values: [id] });
  const [row] = rows;
  if (!row) throw new Error("The application is gone");
  return row;
}
