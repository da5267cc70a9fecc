import { withClient } from "@/__tests__/support/processes/postgres";

const eventsOfEach = 10;
/** Every fifth application has been submitted. */
export const submittedEach = 5;
const sixteen = "3479ACDEFGHJKMNP";

/** The reference of the seed's n-th application: its number in digits that a reference may have. */
export function referenceOf(n: number): string {
  const digits = n.toString(16).padStart(8, "0");
  return [...digits]
    .map((digit) => sixteen[Number.parseInt(digit, 16)])
    .join("")
    .replace(/^..../, "$&-");
}

const application = "md5('application' || n)::uuid";
const link = "md5('link' || n)::uuid";
const reference = `regexp_replace(translate(lpad(to_hex(n), 8, '0'), '0123456789abcdef', '${sixteen}'), '^....', '\\&-')`;
/** A name of seven letters. */
const name = (of: string) => `initcap(translate(substr(md5(${of}), 1, 7), '0123456789', 'ghijklmnop'))`;

/** Applications with an opened link each, and ten events. One invitation every 19 seconds: 5,000,000 in three years. */
function fills(applications: number) {
  const all = `FROM generate_series(1, ${applications}) AS n`;
  const submitted = `FROM generate_series(${submittedEach}, ${applications}, ${submittedEach}) AS n`;
  const madeAt = `now() - (${applications} - n) * interval '19 seconds'`;
  const status = `CASE WHEN n % ${submittedEach} > 0 THEN 'draft' WHEN n > ${applications} - 20000 THEN 'submitted' ELSE 'approved' END`;
  const part = `interval '19 seconds' / ${eventsOfEach}`;
  return {
    applications: [
      `INSERT INTO applications (id, reference, "firstName", "lastName", mobile, email, "propertyAddress", source, "createdAt",
         status, "submittedAt")
       SELECT ${application}, ${reference}, ${name("'first' || n % 3000")}, ${name("'last' || n")}, '614' || lpad(n::text, 8, '0'),
         'ada' || n || '@example.com', n || ' Wattle Lane, Sydney NSW 2000', 'ba', ${madeAt}, (${status})::"ApplicationStatus",
         CASE WHEN n % ${submittedEach} = 0 THEN ${madeAt} END
       ${all}`,
    ],
    links: [
      `INSERT INTO links (id, "applicationId", "createdAt", "expiresAt", "openedAt")
       SELECT ${link}, ${application}, ${madeAt}, now() + interval '30 days', now() ${all}`,
    ],
    link_tokens: [
      `INSERT INTO link_tokens ("linkId", "tokenHash")
       SELECT ${link}, sha256(translate(rtrim(encode(sha256(('bench' || n)::bytea), 'base64'), '='), '+/', '-_')::bytea) ${all}`,
    ],
    consent_records: [
      `INSERT INTO consent_records ("applicationId", version, document, "documentHash", "authoriseAgent", "provideSelf", "confirmLoan")
       SELECT ${application}, '1', 'I agree.', encode(sha256('I agree.'), 'hex'), true, false, true ${submitted}`,
    ],
    // In the order of time, so that an application's events lie far apart, as they do in life.
    events: Array.from(
      { length: eventsOfEach },
      (_, k) => `INSERT INTO events ("applicationId", "linkId", kind, detail, at)
       SELECT "applicationId", id, '${["link_issued", "link_opened"][k] ?? "step_saved"}', '${k < 2 ? "" : (k % 3) + 1}',
         now() - (${applications * eventsOfEach} - ${k * applications} - row_number() OVER ()) * ${part}
       FROM links`,
    ),
  };
}

/** Nothing is durable while this runs, and nothing else works in the background. */
async function hurried(url: string, fill: () => Promise<void>): Promise<void> {
  const set = (settings: string[]) =>
    withClient(url, async (client) => {
      for (const setting of settings) await client.query(`ALTER SYSTEM ${setting}`);
      await client.query("SELECT pg_reload_conf()");
    });
  const lax = ["fsync = off", "full_page_writes = off", "autovacuum = off", "max_wal_size = '64GB'"];
  await set(lax.map((setting) => `SET ${setting}`));
  await fill().finally(() => set(["RESET ALL"]));
}

/** Each statement on a connection of its own, without foreign key checks and triggers. */
async function run(url: string, statements: string[]): Promise<void> {
  for (const statement of statements)
    await withClient(url, async (client) => {
      await client.query("SET session_replication_role = replica; SET maintenance_work_mem = '1GB'");
      await client.query(statement);
    });
}

/**
 * Fills an empty database; `callsTo` derives the same tokens. The indexes are built once the rows are in: one that is
 * marked as not ready is left alone by Postgres until REINDEX.
 */
export async function seed(url: string, applications: number): Promise<void> {
  const { events, links, ...others } = fills(applications);
  const smaller = Object.keys({ links, ...others });
  const ours = [...smaller, "events"].map((table) => `'${table}'::regclass`).join();
  await hurried(url, async () => {
    await run(url, [`UPDATE pg_index SET indisready = false, indisvalid = false WHERE indrelid IN (${ours})`]);
    // Side by side, since each INSERT keeps one core busy. Events are made of the links.
    await Promise.all([
      run(url, [...links, ...events, "REINDEX TABLE events"]),
      run(url, [...Object.values(others).flat(), ...smaller.map((table) => `REINDEX TABLE ${table}`)]),
    ]);
    await run(url, ["VACUUM ANALYZE"]);
  });
  await run(url, ["CHECKPOINT"]);
}
