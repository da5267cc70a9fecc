import { withClient } from "@/__tests__/support/processes/postgres";

/** Every fifth application has been submitted. */
export const submittedEach = 5;

const id = (of: string) => `md5('${of}' || n)::uuid`;
const status = `(CASE WHEN n % ${submittedEach} > 0 THEN 'draft' ELSE 'submitted' END)::"ApplicationStatus"`;

/**
 * Fills an empty database with applications that have an opened link and three events each. `tokenOf` in calls.ts derives
 * the same tokens.
 */
export async function seed(url: string, applications: number): Promise<void> {
  const all = `FROM generate_series(1, ${applications}) AS n`;
  const rows = [
    `INSERT INTO applications (id, reference, "firstName", "lastName", mobile, email, "propertyAddress", source, status)
     SELECT ${id("application")}, translate(overlay(lpad(to_hex(n), 8, '0') PLACING '-' FROM 5 FOR 0), '012568be', 'GHJKMNPQ'),
       'Ada', 'Byron' || n, '614' || lpad(n::text, 8, '0'), 'ada' || n || '@example.com', n || ' Wattle Lane', 'ba', ${status} ${all}`,
    `INSERT INTO links (id, "applicationId", "expiresAt", "openedAt")
     SELECT ${id("link")}, ${id("application")}, now() + interval '30 days', now() ${all}`,
    `INSERT INTO link_tokens ("linkId", "tokenHash") SELECT ${id("link")},
       sha256(translate(rtrim(encode(sha256(('bench' || n)::bytea), 'base64'), '='), '+/', '-_')::bytea) ${all}`,
    `INSERT INTO events ("applicationId", "linkId", kind, detail)
     SELECT ${id("application")}, ${id("link")}, 'step_saved', step::text
     FROM generate_series(1, 3) AS step, generate_series(1, ${applications}) AS n`,
  ];
  await withClient(url, async (client) => {
    // Nothing has to be checked: the rows are right, and a crash loses nothing that anybody needs.
    await client.query("SET session_replication_role = replica; SET synchronous_commit = off");
    for (const statement of rows) await client.query(statement);
    await client.query("VACUUM ANALYZE");
    await client.query("CHECKPOINT");
  });
}
