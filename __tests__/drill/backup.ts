import { rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { hashes } from "@/__tests__/promises/support/dump";
import { expect, same } from "@/__tests__/promises/support/expect";
import { newServer, urlsIn } from "@/__tests__/promises/support/new-server";
import { commandsOf } from "@/__tests__/support/page-commands";
import { freePort, isHealthy } from "@/__tests__/support/processes/app";
import { call } from "@/__tests__/support/processes/call";
import { tally } from "@/__tests__/support/processes/figures";
import { withClient } from "@/__tests__/support/processes/postgres";
import { several } from "@/__tests__/support/processes/several";
import { besideTheProject, runLine } from "@/__tests__/support/run-line";
import { type Place, production } from "./deployed";
import { type Landlord, lostIn } from "./kept";

/** One of each kind of loss. */
const its = `"applicationId" = (SELECT id FROM applications WHERE reference = $1)`;
const losses = [
  "DELETE FROM applications WHERE reference = $1",
  `DELETE FROM link_tokens WHERE "linkId" IN (SELECT id FROM links WHERE ${its})`,
  `UPDATE applications SET "agencyName" = '' WHERE reference = $1`,
  `UPDATE applications SET "leaseEndDate" = "leaseEndDate" - 1 WHERE reference = $1`,
  "UPDATE applications SET status = 'draft' WHERE reference = $1",
  `DELETE FROM consent_records WHERE ${its}`,
  `DELETE FROM events WHERE kind = 'submitted' AND ${its}`,
  `INSERT INTO events ("applicationId", kind) SELECT id, 'submitted' FROM applications WHERE reference = $1`,
  `DELETE FROM events WHERE kind = 'status_changed' AND ${its}`,
];

/** The deployment page's commands; what is restored is compared row by row, and with all that was acknowledged. */
export async function backUpAndRestore(place: Place): Promise<string> {
  const fresh = await newServer(place.program);
  place.undo.push(fresh.stop);
  const folder = besideTheProject();
  place.undo.push(() => rmSync(folder, { recursive: true, force: true }));
  const port = await freePort();
  const app = { url: `http://127.0.0.1:${port}` };
  const env = {
    ...production,
    PATH: `${join(place.program, "..")}:${process.env.PATH}`,
    HOST: "127.0.0.1",
    PORT: String(port),
    SHUTDOWN_DELAY_MS: "0",
  };
  const places: Record<string, string> = { "<owner>": place.server.owner, "<new-owner>": fresh.owner };
  const before = await withClient(place.server.owner, hashes);
  let verified = "";
  let opened = "";
  let named = 0;
  for (const line of commandsOf("docs/deploy/README.md", "Backup and restore")) {
    const whole = line.replace(/<[^>]+>/g, (name) => places[name] ?? name);
    const isStart = line.endsWith("npm start");
    if (isStart) named = await compare(place, fresh.urlOf("lender"), before);
    const { code, said } = await runLine(whole, { folder, env }, async () => {
      if (!isStart || !(await isHealthy(app, "/api/ready"))) return false;
      opened = await open(app, place.landlords);
      return true;
    });
    same(code, 0, `exit code of '${line}', which said ${said.slice(-500)}`);
    for (const [kind, url] of Object.entries(urlsIn(said))) places[`<new-${kind}>`] = url;
    verified = /\d+ of \d+ consent records verified/.exec(said)?.[0] ?? verified;
  }
  const size = Math.round(statSync(join(folder, "rent-advance.dump")).size / 1000);
  return `a dump of ${size} kB on a server without our users: every row as it was, ${verified}, links open (${opened}); of ${losses.length} losses made there on purpose ${named} were named`;
}

/** Throws where the restored database is not as the old one. Returns how many losses, made and undone, were noticed. */
async function compare({ landlords }: Place, restored: string, before: Record<string, string>): Promise<number> {
  return withClient(restored, async (client) => {
    same(await hashes(client), before, "row hashes after the restore");
    same(await lostIn(client, landlords), [], "lost by the restore");
    const victim = landlords.find(({ done, isErased }) => done.length > 0 && !isErased);
    await client.query("SET session_replication_role = replica");
    for (const loss of losses) {
      await client.query("BEGIN");
      await client.query(loss, [victim?.reference]);
      const lost = await lostIn(client, landlords);
      expect(
        lost.some((one) => one.startsWith(`${victim?.reference}: `)),
        `not named: ${loss}`,
      );
      await client.query("ROLLBACK");
    }
    return losses.length;
  });
}

/** Some links of each kind, as statuses and how often they were shown. */
async function open(app: { url: string }, landlords: Landlord[]): Promise<string> {
  const some = landlords.filter(({ done }, n) => done.length > 0 || n % 500 === 0);
  const shown = await several(some.length, 4, async (n) => {
    const { token, status, reference, isErased } = some[n] as Landlord;
    const answer = await call(app, "verify-token", { token });
    const data = answer.body.data ?? {};
    const right = isErased ? [401, undefined, undefined] : [200, status, reference];
    same([answer.status, data.status, data.reference], right, `what the link of ${reference} shows`);
    return isErased ? "erased" : status;
  });
  return tally(shown.sort());
}
