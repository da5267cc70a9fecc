import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { wholeApplication } from "@/__tests__/support/answers";
import { invited } from "@/__tests__/support/invited";
import { call, newAddress } from "@/__tests__/support/processes/call";
import { runCommand } from "@/__tests__/support/run-command";
import { dumpOf } from "./support/dump";
import { expect, same } from "./support/expect";
import { promise, type World } from "./support/world";

/** No other promise stores these: the whole dump is searched for them. */
const values = {
  firstName: "Linnetta",
  lastName: "Linnetsmith",
  email: "linnet@secret.example",
  mobile: "61455500077",
  propertyAddress: "99 Linnet Row",
  agencyName: "Linnet Homes",
  managerFirstName: "Linneto",
  managerLastName: "Linnetovic",
  contactNumber: "61255500088",
  managerEmail: "agent@linnet.example",
  approval: "LINNET-99",
  invoiceAmount: "2713.37",
  currentRent: "413.79",
};
const from = { "x-forwarded-for": "203.0.113.77", "user-agent": "LinnetBrowser/7" };
const personal = [...Object.values(values), from["x-forwarded-for"], from["user-agent"]];

/** Every way a value is written in a dump or a log. */
const left = (text: string) => personal.filter((value) => text.includes(value));

const keptOf = `
  SELECT a.reference, a.status, a."submittedAt", a."createdAt", c.version, c.document, c."documentHash", c."consentedAt",
    c."authoriseAgent", c."provideSelf", c."confirmLoan",
    (SELECT json_agg(json_build_array(e.kind, e.detail, e.at, e.by) ORDER BY e.id) FROM events e
     WHERE e."applicationId" = a.id AND kind <> 'erased') AS events
  FROM applications a LEFT JOIN consent_records c ON c."applicationId" = a.id WHERE a.id = $1`;

promise(39, async (world) => {
  const { start, sql, database, users, postgres } = world;
  const app = await start({ settings: { LOG_LEVEL: "debug", DATABASE_TIMEOUT_MS: "15000" } });
  const command = (name: string, ...args: string[]) =>
    runCommand(name, args, { DATABASE_URL: users.app, OPERATIONS_DATABASE_URL: users.operations });
  const known = { ...values, source: "ia" };
  const { token, id, reference } = await invited(known, { source: "ia" });
  const submitted = await call(app, "submit", { token, data: { ...wholeApplication, ...known } }, from);
  same(submitted.status, 200, "status of the submission");
  same(left(JSON.stringify(await dumpOf(database))), personal, "values in a dump before the erasure");
  const [before] = await sql(keptOf, [id]);
  const { out } = await command("person", "export", reference);
  same(left(out), personal, "values in what a person is given");

  same((await command("person", "erase", reference, "--by", "Vera")).code, 0, "exit code of the erasure");
  const [after] = await sql(keptOf, [id]);
  same(after, before, "what is kept");
  const hash = createHash("sha256").update(String(after?.document)).digest("hex");
  same(hash, after?.documentHash, "hash of the consent document");
  const elsewhere = { "x-forwarded-for": newAddress() };
  same((await call(app, "verify-token", { token }, elsewhere)).status, 401, "status of the link");
  const again = await erasedAgain(world, app, command);
  await app.end("SIGTERM");
  for (const [where, text] of Object.entries({
    "a dump": JSON.stringify(await dumpOf(database)),
    "the app's log": app.output(),
    "Postgres's log": readFileSync(join(postgres.folder, "postgres.log"), "utf8"),
  }))
    same(left(text), [], `values in ${where} after the erasure`);
  return `a person erased after submission: ${personal.length} values in a dump before, 0 after, 0 in the logs; reference, status, times, hashes and who did what unchanged, the hash verifies; ${again}`;
});

/** A draft goes through retention, is filled in again from a new link, grows old once more. */
async function erasedAgain(
  { sql }: World,
  app: World["app"],
  command: (name: string, ...args: string[]) => Promise<{ out: string }>,
): Promise<string> {
  const { id, reference } = await invited(values);
  const age = () => sql(`UPDATE applications SET "updatedAt" = now() - interval '25 months' WHERE id = $1`, [id]);
  const erased: string[] = [];
  for (let round = 0; round < 3; round += 1) {
    const { token } = JSON.parse((await command("links", "reissue", reference, "--json")).out);
    const saved = await call(app, "submit-step-1", { token, data: { ...wholeApplication, ...values } }, from);
    same(saved.status, 200, "status of a save into an erased draft");
    await age();
    erased.push((await command("retention", "--months", "24")).out.trim());
    const [row] = await sql<{ row: string }>("SELECT a::text AS row FROM applications a WHERE id = $1", [id]);
    same(left(row?.row ?? ""), [], "values in the row");
  }
  expect(
    erased.every((line) => line.includes("erased from 1 application")),
    erased.join(" "),
  );
  return `a draft erased, reissued, filled and aged: erased ${erased.length} times of ${erased.length}`;
}
