import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { consent } from "@/__tests__/support/answers";
import { fillIn, submitFinal } from "@/__tests__/support/calls";
import { freshDatabase } from "@/__tests__/support/database";
import { invited } from "@/__tests__/support/invited";
import { commandsOf } from "@/__tests__/support/page-commands";
import { post } from "@/__tests__/support/post";
import { freePort } from "@/__tests__/support/processes/app";
import { besideTheProject, runLine } from "@/__tests__/support/run-line";

const pages: [string, string | undefined][] = [
  ["docs/operations.md", undefined],
  ["README.md", "Send a first invitation"],
  ["docs/sending.md", "Send"],
  ["docs/sending.md", "Watch it"],
  ["docs/sending.md", "Webhooks"],
];

/** Messages are made due; nothing sends them here. */
const sending = {
  SMTP_URL: "smtp://127.0.0.1:9",
  WEBHOOK_URL: "http://127.0.0.1:9",
  WEBHOOK_SECRET: `whsec_${Buffer.alloc(32).toString("base64")}`,
};

const run = new Set<string>();

/** A line that stands on several pages is run once. */
function isFirst(command: string): boolean {
  const isKnown = run.has(command);
  run.add(command);
  return !isKnown;
}

describe.each(pages)("the commands of %s, %s", (page, section) => {
  const { sql, appUrl, operationsUrl } = freshDatabase();
  const env = { DATABASE_URL: appUrl, OPERATIONS_DATABASE_URL: operationsUrl, LOG_LEVEL: "", ...sending };
  const commands = commandsOf(page, section, true).filter(isFirst);
  let folder: string;

  beforeAll(async () => {
    folder = besideTheProject();
    writeFileSync(join(folder, "one.json"), '{"mobile":"61412345679"}');
    writeFileSync(join(folder, "invitations.csv"), "mobile,email,first-name\n0412 345 670,ada@mail.example,Ada\n");
    writeFileSync(join(folder, "decisions.csv"), "reference,status,reason\nK7QM-4XRT,declined,No lease\n");
    const { token, id } = await invited({ email: "ada@mail.example" });
    await sql(`UPDATE applications SET reference = 'K7QM-4XRT' WHERE id = $1`, [id]);
    const draft = await invited({ email: "alex@mail.example" });
    await sql(`UPDATE applications SET reference = 'K7QM-4XR9' WHERE id = $1`, [draft.id]);
    await fillIn(token);
    await post(submitFinal, { token, data: consent });
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  test.each(commands)("%s", async (command) => {
    if (!command.startsWith("npm run studio"))
      return expect(await runLine(command, { folder, env })).toMatchObject({ code: 0 });
    const port = await freePort();
    const { said } = await runLine(`npm run studio -- --port ${port}`, { folder, env }, (text) =>
      text.includes("http:"),
    );
    expect(said).toContain(`http://127.0.0.1:${port}/`);
  });
});

test("commands are found at all", () => {
  expect(pages.flatMap((page) => commandsOf(...page, true)).length).toBeGreaterThan(25);
});
