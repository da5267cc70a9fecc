import { spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { freePort } from "@/__tests__/support/processes/app";
import { milliseconds } from "@/__tests__/support/processes/figures";
import { withClient } from "@/__tests__/support/processes/postgres";
import { startStudio } from "@/__tests__/support/processes/studio";
import { runCommand } from "@/__tests__/support/run-command";
import { makeRoles } from "@/lib/server/db/roles";
import { expect, same } from "./support/expect";
import { manyApplications } from "./support/many-applications";
import type { Promised, World } from "./support/world";

const count = 60_000;
const pictures = "test-results/studio";
const most = 1000;

/** One application, and what people say when they ask for it. */
interface Wanted {
  reference: string;
  ways: Record<string, string>;
}

async function prepare({ postgres }: World): Promise<{ operations: string; wanted: Wanted }> {
  const owner = await postgres.createDatabase("sixty_thousand");
  const roles = await makeRoles(owner);
  const operations = roles.find(({ kind }) => kind === "operations")?.url ?? "";
  const reference = await withClient(owner, async (client) => {
    await client.query(manyApplications(count));
    await client.query(
      `UPDATE applications SET "firstName" = 'Ada', "lastName" = 'Lovelace', mobile = '61412345678' WHERE mobile = '61400030000'`,
    );
    const { rows } = await client.query("SELECT reference FROM applications WHERE mobile = '61412345678'");
    return String(rows[0]?.reference);
  });
  const spoken = reference.toLowerCase().replace("-", "");
  return {
    operations,
    wanted: { reference, ways: { reference: spoken, mobile: "0412 345 678", name: "ada lovelace" } },
  };
}

async function timed(run: () => unknown): Promise<number> {
  const begun = performance.now();
  await run();
  return performance.now() - begun;
}

/** The best of some rounds: a busy machine can only make them slower, and Node alone as well. */
async function coldStart(run: () => Promise<unknown>) {
  let best = { taken: Number.POSITIVE_INFINITY, floor: 0 };
  for (let round = 0; round < 6 && best.taken - best.floor > most; round += 1) {
    const floor = await timed(() => spawnSync(process.execPath, ["-e", "0"]));
    const taken = await timed(run);
    if (taken - floor < best.taken - best.floor) best = { taken, floor };
  }
  return best;
}

async function byCommand(operations: string, { reference, ways }: Wanted): Promise<string> {
  const applications = (...args: string[]) => runCommand("applications", args, { OPERATIONS_DATABASE_URL: operations });
  const told: string[] = [];
  for (const [way, words] of Object.entries(ways)) {
    const { taken, floor } = await coldStart(async () => {
      const { out, err } = await applications("find", ...words.split(" "), "--json");
      const found = out && JSON.parse(out).map((one: { reference: string }) => one.reference);
      same(found, [reference], `found by ${way} (${err.trim()})`);
    });
    expect(taken - floor <= most, `find by ${way} took ${milliseconds(taken)}, Node alone ${milliseconds(floor)}`);
    told.push(`${way} ${milliseconds(taken)} (Node alone ${milliseconds(floor)})`);
  }
  return told.join(", ");
}

async function inStudio({ browser }: World, operations: string, { reference, ways }: Wanted): Promise<string> {
  mkdirSync(pictures, { recursive: true });
  const studio = await startStudio({ OPERATIONS_DATABASE_URL: operations }, await freePort());
  const page = await (await browser()).newPage({ viewport: { width: 1440, height: 800 } });
  const picture = (name: string) => page.screenshot({ path: `${pictures}/${name}.png` });
  try {
    await page.goto(studio.address);
    await page.locator("tbody tr").nth(20).waitFor();
    const headings = (await page.locator("thead th").allInnerTexts())
      .map((text) => text.split(/\s/)[0])
      .filter(Boolean);
    same(
      headings.slice(0, 5),
      ["reference", "status", "name", "mobile", "submitted"],
      "first columns of the first screen",
    );
    await picture("list");
    await page.getByLabel("Global search").first().click();
    const box = page.getByPlaceholder("Global search");
    const told: string[] = [];
    for (const [way, words] of Object.entries(ways)) {
      await box.fill("");
      await page.locator("tbody tr").nth(20).waitFor();
      const begun = performance.now();
      await box.fill(words);
      await page.waitForFunction((wanted) => {
        const found = [...document.querySelectorAll("tbody tr")].map((row) => row.textContent ?? "");
        return found.length === 1 && found[0]?.includes(wanted);
      }, reference);
      told.push(`${way} ${milliseconds(performance.now() - begun)}`);
      await picture(way);
    }
    await page.getByLabel("Open events_by_reference").first().click();
    await page.getByText("link_issued").waitFor();
    same(await page.locator("tbody tr").count(), 2, "events of this application");
    await picture("events");
    return `in Studio by typing: ${told.join(", ")}, and from the row to its events`;
  } finally {
    await page.close();
    await studio.end();
  }
}

const found: Promised = {
  number: 62,
  async prove(world) {
    const { operations, wanted } = await prepare(world);
    const command = await byCommand(operations, wanted);
    const studio = await inStudio(world, operations, wanted);
    return `60,000 applications, found from a cold start by ${command}; ${studio}; the first screen is the list`;
  },
};

export const reading = [found];
