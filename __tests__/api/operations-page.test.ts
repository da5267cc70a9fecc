import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { callCommand } from "@/__tests__/support/call-command";
import { freshDatabase } from "@/__tests__/support/database";
import { invited } from "@/__tests__/support/invited";
import { commandsOf } from "@/__tests__/support/page-commands";
import { freePort } from "@/__tests__/support/processes/app";
import { unreachableProviders } from "@/__tests__/support/providers";
import { linkProjectInto, runLine } from "@/__tests__/support/run-line";
import { fillInAndSubmit } from "@/__tests__/support/submitted";
import { temporaryFolder } from "@/__tests__/support/temporary-folder";

const pages: [string, string | undefined][] = [
  ["docs/operations.md", undefined],
  ["README.md", "Send a first invitation"],
  ["docs/sending.md", "Send"],
  ["docs/sending.md", "Watch it"],
  ["docs/sending.md", "Webhooks"],
];

const { scripts } = JSON.parse(readFileSync("package.json", "utf8")) as { scripts: Record<string, string> };

const project = process.cwd();
/** Every page uses the same path, since the product reads the path of its migrations only once. */
const folder = temporaryFolder();

const seen = new Set<string>();

/** Whether no earlier page has this command, so that each command is run once. Studio is run with a free port anyway. */
function isFirst(line: string): boolean {
  const command = line.replace(/^(npm run studio) -- --port \d+$/, "$1");
  const wasSeen = seen.has(command);
  seen.add(command);
  return !wasSeen;
}

/** Returns the words of an npm line that runs a command of lib/cli, unless the line needs a shell for more than quotes. */
function calledBy(line: string): [name: string, ...args: string[]] | undefined {
  const [, name = "", args = ""] = /^npm run (?:--silent )?([\w:]+)(?: -- ([^<>|$]+))?$/.exec(line) ?? [];
  const words = [...args.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain = ""]) => quoted ?? plain);
  return scripts[name]?.endsWith(`lib/cli/${name}.ts`) ? [name, ...words] : undefined;
}

describe.each(pages)("the commands of %s, %s", (page, section) => {
  const { sql, appUrl, operationsUrl, insertMessage } = freshDatabase();
  const env = { DATABASE_URL: appUrl, OPERATIONS_DATABASE_URL: operationsUrl, LOG_LEVEL: "", ...unreachableProviders };
  const commands = commandsOf(page, section, true).filter(isFirst);

  beforeAll(async () => {
    linkProjectInto(folder);
    process.chdir(folder);
    writeFileSync("one.json", '{"mobile":"61412345679"}');
    writeFileSync("invitations.csv", "mobile,email,first-name\n0412 345 670,ada@mail.example,Ada\n");
    writeFileSync("decisions.csv", "reference,status,reason\nK7QM-4XRT,declined,No lease\n");
    const { token, id } = await invited({ email: "ada@mail.example" });
    await sql(`UPDATE applications SET reference = 'K7QM-4XRT' WHERE id = $1`, [id]);
    await insertMessage({ number: 1207, kind: "reminder", state: "failed" });
    const draft = await invited({ email: "alex@mail.example" });
    await sql(`UPDATE applications SET reference = 'K7QM-4XR9' WHERE id = $1`, [draft.id]);
    await fillInAndSubmit(token);
  });
  afterAll(() => {
    process.chdir(project);
    rmSync(folder, { recursive: true });
  });

  test.each(commands)("the command succeeds: %s", async (command) => {
    if (command.startsWith("npm run studio")) {
      const port = await freePort();
      const isOpen = (text: string) => text.includes("http:");
      const { output } = await runLine(`npm run studio -- --port ${port}`, { folder, env }, isOpen);
      return expect(output).toContain(`http://127.0.0.1:${port}/`);
    }
    const [name, ...args] = calledBy(command) ?? [];
    const ran = name ? callCommand(name, args, env) : runLine(command, { folder, env });
    const result = await ran;
    expect(result.code === 0 ? "" : JSON.stringify(result)).toBe("");
  });
});

test("the pages contain commands", () => {
  expect(pages.flatMap((page) => commandsOf(...page, true)).length).toBeGreaterThan(25);
});
