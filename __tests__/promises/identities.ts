import { consent } from "@/__tests__/support/answers";
import { invited } from "@/__tests__/support/invited";
import { freePort } from "@/__tests__/support/processes/app";
import { call, fillIn } from "@/__tests__/support/processes/call";
import { withClient } from "@/__tests__/support/processes/postgres";
import { type Studio, startStudio } from "@/__tests__/support/processes/studio";
import { changesOf, readsOfHashes } from "./support/changes";
import { hashes } from "./support/dump";
import { expect, same } from "./support/expect";
import { promise, type World } from "./support/world";

/** Submits an application. Returns the statements that try to change it, and the hash of its link token. */
async function victim({ app, sql, database }: World) {
  const { token, reference, id } = await invited({ firstName: "Ada" });
  await fillIn(app, token);
  await call(app, "submit-final", { token, data: consent });
  const [link] = await sql<{ hash: string }>(
    `SELECT encode("tokenHash", 'hex') AS hash FROM link_tokens t JOIN links l ON l.id = t."linkId" WHERE l."applicationId" = $1`,
    [id],
  );
  return { changes: changesOf(reference, new URL(database).username), hash: link?.hash ?? "" };
}

/** Runs each statement, and returns those that were not refused. */
async function passed(statements: string[], run: (statement: string) => Promise<unknown>): Promise<string[]> {
  const passedStatements: string[] = [];
  for (const statement of statements)
    await run(statement).then(
      () => passedStatements.push(statement),
      () => undefined,
    );
  return passedStatements;
}

promise(28, async (world) => {
  const { changes } = await victim(world);
  same(new Set(changes).size, 44, "statements");
  const before = await withClient(world.database, hashes);
  const alone = (statement: string) => withClient(world.users.app, (client) => client.query(statement));
  same(await passed(changes, alone), [], "statements that were let through as the app's user");
  same(await withClient(world.database, hashes), before, "row hashes of every table");
  return `${changes.length} statements as the app's user on a submitted application: ${changes.length} refused, every row of every table as it was`;
});

promise(30, async (world) => {
  const { changes, hash } = await victim(world);
  // Each start of Studio is recorded in data_reads.
  const hashesBesideReads = async () => ({ ...(await withClient(world.database, hashes)), data_reads: "" });
  const before = await hashesBesideReads();
  const studio = await startStudio({ OPERATIONS_DATABASE_URL: world.users.operations }, await freePort());
  world.after(studio.end);
  same(await passed(changes, studio.run), [], "statements that Studio let through");
  same(await passed(readsOfHashes, studio.run), [], "reads of a token hash that Studio let through");
  const seen = await studio.run("SELECT reference FROM applications");
  expect(seen.length > 2 && !seen.includes(hash), "Studio reads no applications");
  const refusals = await withoutSecret(studio, [...changes, ...readsOfHashes]);
  same(new Set(refusals), new Set([403]), "statuses without this start's secret");
  same(await hashesBesideReads(), before, "row hashes of every table");
  for (const url of [world.database, world.users.app]) {
    const started = await startStudio({ OPERATIONS_DATABASE_URL: url }, await freePort()).catch(() => null);
    await started?.end();
    expect(started === null, "Studio started as a user that may do more than read");
  }
  return `${changes.length} changes and ${readsOfHashes.length} reads of a token hash through Studio's endpoint: all refused; ${refusals.length} requests without this start's secret: ${refusals.length} × 403; as owner or app it does not start`;
});

/** Sends requests that another user of the machine could send, without the secret of this start. Returns their statuses. */
async function withoutSecret({ call: ask, port }: Studio, statements: string[]): Promise<number[]> {
  const host = `127.0.0.1:${port}`;
  const json = { host, "content-type": "application/json" };
  const body = (sql: string) => JSON.stringify({ procedure: "query", query: { sql, parameters: [] } });
  const posts = statements.map((sql) => ask("/bff", json, body(sql)));
  const wrong = [`/?secret=`, `/?secret=${"A".repeat(43)}`, "/", "/studio.js", "/favicon.ico", "//", "/bff"];
  const gets = wrong.map((path) => ask(path, { host, cookie: `studio-${port}=${"A".repeat(43)}` }));
  return (await Promise.all([...posts, ...gets])).map(({ status }) => status);
}
