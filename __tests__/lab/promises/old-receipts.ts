import { spawnSync } from "node:child_process";
import { cpSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, same } from "@/__tests__/lab/promises/support/expect";
import { on } from "@/__tests__/lab/promises/support/new-server";
import { promise, type World } from "@/__tests__/lab/promises/support/world";
import { wholeApplication } from "@/__tests__/support/answers";
import { heading } from "@/__tests__/support/fill-in";
import { invited } from "@/__tests__/support/invited";
import type { App } from "@/__tests__/support/processes/app";
import { call } from "@/__tests__/support/processes/call";
import { setStatuses } from "@/lib/server/applications/set-status";
import { applyMigrations } from "@/lib/server/db/migrations";

const folders = ["app", "components", "lib", "public", "prisma"];
const files = [
  "instrumentation.ts",
  "next.config.mjs",
  "package.json",
  "postcss.config.mjs",
  "proxy.ts",
  "tsconfig.json",
  "tsconfig.build.json",
];

/** What the next version changes: a new answer, a label, the cap and the consent text. Its packages are a symbolic link. */
const edits: [file: string, find: string, replacement: string][] = [
  [
    "lib/domain/application.ts",
    `agencyName: { kind: "text", label: "Agency name"`,
    `abn: { kind: "text", label: "ABN" },\n    agencyName: { kind: "text", label: "Managing agency"`,
  ],
  ["next.config.mjs", "poweredByHeader: false", `poweredByHeader: false, turbopack: { root: "/" }`],
  ["lib/schemas/steps.ts", "  agencyName: kinds", `  abn: z._default(kinds.text("ABN"), ""),\n  agencyName: kinds`],
  ["prisma/schema.prisma", "  agencyName ", `  abn String @default("")\n  agencyName `],
  ["lib/domain/advance.ts", "50_000_00", "75_000_00"],
  ["lib/domain/consent.ts", `"2026-11-26"`, `"2027-01-01"`],
  ["lib/domain/consent.ts", "within 30 days if any", "within 14 days if any"],
];
const ofNextVersion = ["ABN", "Managing agency", "$75,000.00", "version 2027-01-01", "within 14 days if any"];
const migration = { "29991231235959_abn": `ALTER TABLE "applications" ADD COLUMN "abn" TEXT NOT NULL DEFAULT ''` };

/** Builds the next version in a folder of its own. */
function buildNextVersion({ folder: newFolder }: World): string {
  const folder = newFolder();
  for (const name of [...folders, ...files]) cpSync(name, join(folder, name), { recursive: true });
  symlinkSync(resolve("node_modules"), join(folder, "node_modules"));
  for (const [file, find, replacement] of edits) {
    const parts = readFileSync(join(folder, file), "utf8").split(find);
    expect(parts.length === 2, `${file} has this ${parts.length - 1} times, not once: ${find}`);
    writeFileSync(join(folder, file), parts.join(replacement));
  }
  const env = { ...process.env, NODE_ENV: "production" as const, BUILD_WITHOUT_TYPES: "1" };
  for (const script of ["generate", "build:applicants"]) {
    const { status, stdout, stderr } = spawnSync("npm", ["run", script], { cwd: folder, env, encoding: "utf8" });
    expect(status === 0, `${script} of the next version: ${(stdout + stderr).slice(-500)}`);
  }
  return folder;
}

/** Submits an application for the whole cap. Returns its reference and the address of its receipt. */
async function submitted(app: App, loanAmount: string) {
  const { token, reference } = await invited();
  const data = { ...wholeApplication, currentRent: "900", loanAmount };
  same((await call(app, "submit", { token, data })).status, 200, "status of the submission");
  return { reference, path: `/receipt?token=${token}&source=ba` };
}

/** The receipt as printed, from its title to the consent boxes, without the status. */
async function printed({ device }: World, app: App, path: string): Promise<string> {
  const page = await (await device()).newPage();
  await page.emulateMedia({ media: "print" });
  await page.goto(app.url + path);
  await heading(page, "What you agreed to").waitFor();
  // biome-ignore lint/performance/useDomNodeTextContent: textContent also has what is not printed
  const text = await page.getByRole("main").innerText();
  const receipt = /Your receipt\n.+?Not ticked: .+?(?=\n+(?:Proof of this receipt|The lender)\n)/s.exec(text)?.[0];
  expect(receipt?.includes("\nStatus\n") && receipt, `not a receipt: ${text}`);
  return receipt.replace(/\nStatus\n+.+/, "");
}

promise(82, async (world) => {
  const folder = buildNextVersion(world);
  const database = await world.postgres.createDatabase("receipt");
  return on(database, async () => {
    const app = await world.start({ database });
    const { reference, path } = await submitted(app, "50000");
    const before = await printed(world, app, path);
    await app.end("SIGTERM");
    await applyMigrations(database, migration);
    await setStatuses([{ reference, status: "approved", reason: "" }], { by: "operations" });
    const next = await world.start({ database, folder });
    same(await printed(world, next, path), before, "the receipt in the next version");
    const other = await printed(world, next, (await submitted(next, "75000")).path);
    const missing = ofNextVersion.filter((words) => !other.includes(words) || before.includes(words));
    same(missing, [], "words that only a receipt of the next version may have");
    return `${before.length} characters are the same in a build with another answer, label, cap and consent text, after an approval`;
  });
});
