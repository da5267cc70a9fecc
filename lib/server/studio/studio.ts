import { build } from "esbuild";
import { types } from "pg";
import { withConnection } from "@/lib/server/db/connection";
import { codeOf } from "@/lib/server/db/errors";
import { readerUrl } from "@/lib/server/db/roles";
import { currentSchema, excessPrivileges, runStudioQuery } from "@/lib/server/db/system-queries";
import { currentSettings } from "@/lib/server/settings";

/** The script and the stylesheet of Studio's page, by name. */
export async function bundleStudio(): Promise<Map<string, { type: string; contents: Uint8Array<ArrayBuffer> }>> {
  const entryPoints = { studio: "lib/server/studio/studio-page.ts" };
  const { outputFiles } = await build({ entryPoints, bundle: true, minify: true, write: false, outdir: "/" });
  return new Map(
    outputFiles.map(({ path, contents }) => [
      path.slice(1),
      {
        type: `text/${path.endsWith(".css") ? "css" : "javascript"}; charset=utf-8`,
        contents: new Uint8Array(contents),
      },
    ]),
  );
}

/**
 * Studio's page, whose files and queries have addresses below `base`. A policy with 'strict-dynamic' runs its script by the nonce,
 * and blocks its usage reports to Prisma. `back` is the address to which a link at the top leads.
 */
export async function studioHtml(url: string, base: string, nonce = "", back = ""): Promise<string> {
  const { schema } = await withConnection(url, currentSchema);
  // A schema's name is an identifier of Postgres, which may hold any character.
  const name = schema.replace(/[&"]/g, (character) => `&#${character.charCodeAt(0)};`);
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>Prisma Studio</title>
<link rel="stylesheet" href="${base}studio.css">
${back && `<a class="back" href="${back}">← Back to the desk</a>`}
<div id="root" data-schema="${name}" data-queries="${base}bff"></div>
<script nonce="${nonce}" src="${base}studio.js"></script></html>`;
}

/**
 * Studio executes any SQL that its page sends, so the privileges of its database role must keep it read-only. It therefore
 * connects as the reader instead of operations. The reader's password does not reveal that of operations.
 */
export async function readersUrl(databaseUrl: string): Promise<string> {
  const url = readerUrl(databaseUrl) ?? databaseUrl;
  const reasons = await withConnection(url, (client) => excessPrivileges(client, "reader")).catch((error) => {
    // SQLSTATE class 28: the reader does not exist, or an administrator gave it a different password.
    if (url === databaseUrl || !codeOf(error)?.startsWith("28")) throw error;
    throw new Error(
      `${new URL(url).username} cannot log in. Run 'npm run roles' if it does not exist. If it has another password, see 'Replace a secret' in docs/deploy/operate.md.`,
    );
  });
  if (reasons.length === 0) return url;
  throw new Error(
    `Studio refuses to run as a database user that may do more than read: this one ${reasons.join(", ")}. Set OPERATIONS_DATABASE_URL to the URL that 'npm run roles' printed, with its password.`,
  );
}

/** The types of dates, of times with a zone and, as 1231, of numeric[]. */
const asWritten: number[] = [types.builtins.DATE, types.builtins.TIMESTAMPTZ, 1231];

/**
 * Studio shows these as Postgres writes them. As JavaScript's values, a date could become the day before, and amounts would lose
 * their decimals.
 */
const studioTypes: Pick<typeof types, "getTypeParser"> = {
  getTypeParser: (type: number, format: "text" | "binary" = "text") =>
    asWritten.includes(type) ? String : types.getTypeParser(type, format as "text"),
};

/** Answers Studio's page, on a new connection, so that no statement changes the session of the next one. */
export async function answerStudio(body: unknown, url: string): Promise<[object] | [null, unknown[]]> {
  const { query } = Object(body) as { query: { sql: string; parameters: unknown[] } };
  const { timeZone } = currentSettings().brand;
  const limits = { connectionTimeoutMillis: 10_000, types: studioTypes };
  return withConnection(url, (client) => runStudioQuery(client, query, timeZone), limits).then(
    (rows): [null, unknown[]] => [null, rows],
    ({ name, message, code }): [object] => [{ name, message, code }],
  );
}
