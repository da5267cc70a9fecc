import { randomUUID } from "node:crypto";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { hardBounce } from "@/__tests__/support/bounces";
import { callCommand } from "@/__tests__/support/call-command";
import { freshDatabase } from "@/__tests__/support/database";
import { invited } from "@/__tests__/support/invited";
import { commandsOf } from "@/__tests__/support/page-commands";
import { unreachableProviders } from "@/__tests__/support/providers";
import { linkProjectInto } from "@/__tests__/support/run-line";
import { fillInAndSubmit } from "@/__tests__/support/submitted";
import { temporaryFolder } from "@/__tests__/support/temporary-folder";

const pages: [string, string | undefined][] = [
  ["docs/operations.md", undefined],
  ["README.md", "Send a first invitation"],
  ["docs/sending.md", "Send"],
  ["docs/sending.md", "Watch it"],
  ["docs/sending.md", "Delivery reports"],
  ["docs/sending.md", "Webhooks"],
];

const { scripts } = JSON.parse(readFileSync("package.json", "utf8")) as { scripts: Record<string, string> };

const project = process.cwd();
/** Every page uses the same path, since the product reads the path of its migrations only once. */
const folder = temporaryFolder();

const seen = new Set<string>();

/** Whether no earlier page has this command, so that each command is run once. */
function isFirst(line: string): boolean {
  const wasSeen = seen.has(line);
  seen.add(line);
  return !wasSeen;
}

/** Reads an npm line that runs a command of lib/cli: its variables, the command, its arguments and the file of its input. */
function read(line: string) {
  const [, variables = "", name = "", text = "", file] =
    /^((?:[A-Z_]+=\S+ )*)npm run (?:--silent )?([\w:]+)(?: -- ([^<>|$]+?))?(?: < (\S+))?$/.exec(line) ?? [];
  if (!/lib\/cli\/\S+\.ts$/.test(scripts[name] ?? "")) throw new Error(`This line runs no command of lib/cli: ${line}`);
  const args = [...text.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain = ""]) => quoted ?? plain);
  const env = Object.fromEntries(variables.split(" ").flatMap((variable) => (variable ? [variable.split("=")] : [])));
  return { env: env as Record<string, string>, name, args, file };
}

describe.each(pages)("the commands of %s, %s", (page, section) => {
  const { sql, appUrl, operationsUrl, insertMessage } = freshDatabase();
  const env = {
    DATABASE_URL: appUrl,
    OPERATIONS_DATABASE_URL: operationsUrl,
    LOG_LEVEL: "",
    INIT_CWD: folder,
    ...unreachableProviders,
  };
  // Studio runs until it is stopped, so studio.test.ts starts it.
  const commands = commandsOf(page, section, true).filter((line) => isFirst(line) && read(line).name !== "studio");

  beforeAll(async () => {
    linkProjectInto(folder);
    process.chdir(folder);
    writeFileSync("reports.mbox", `From MAILER-DAEMON\n${hardBounce(randomUUID())}\n`);
    writeFileSync("one.json", '{"mobile":"61412345679"}');
    writeFileSync("invitations.csv", "mobile,email,first-name\n0412 345 670,ada@mail.example,Ada\n");
    writeFileSync("decisions.csv", "reference,status,reason\nK7QM-4XRT,declined,No lease\n");
    const { token, id } = await invited({ email: "ada@mail.example" });
    await sql(`UPDATE applications SET reference = 'K7QM-4XRT' WHERE id = $1`, [id]);
    await insertMessage({ number: 1207, kind: "reminder", state: "failed" });
    const draft = await invited({ email: "alec@mail.example" });
    await sql(`UPDATE applications SET reference = 'K7QM-4XR9' WHERE id = $1`, [draft.id]);
    await fillInAndSubmit(token);
  });
  afterAll(() => {
    process.chdir(project);
    rmSync(folder, { recursive: true });
  });

  test.each(commands)("the command succeeds: %s", async (command) => {
    const { name, args, file, ...line } = read(command);
    const typed = file === undefined ? {} : { input: readFileSync(file, "utf8") };
    const result = await callCommand(name, args, { ...env, ...line.env }, typed);
    expect(result.code === 0 ? "" : JSON.stringify(result)).toBe("");
  });
});

test("the pages contain commands", () => {
  expect(pages.flatMap((page) => commandsOf(...page, true)).length).toBeGreaterThan(25);
});
