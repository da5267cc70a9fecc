import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { landlord } from "@/__tests__/support/answers";
import { callCommand } from "@/__tests__/support/call-command";
import { saveLandlord, verify } from "@/__tests__/support/calls";
import { freshDatabase } from "@/__tests__/support/database";
import { invited } from "@/__tests__/support/invited";
import { post } from "@/__tests__/support/post";
import { runCommand } from "@/__tests__/support/run-command";
import { setStatus } from "@/__tests__/support/set-status";
import { fillInAndSubmit, submitted } from "@/__tests__/support/submitted";
import { temporaryFolder } from "@/__tests__/support/temporary-folder";
import { eraseApplication } from "@/lib/server/applications/erase";
import { personalDataOf } from "@/lib/server/applications/personal-data";
import { prisma } from "@/lib/server/db/client";
import { correctContact } from "@/lib/server/invitations/correct-contact";
import { mailSystem } from "@/lib/server/outbox/reachability";
import { suppress } from "@/lib/server/outbox/suppressions";
import { personalDataPage } from "@/lib/server/templates/personal-data-page";

const { operationsUrl, sql, blockedBy } = freshDatabase();
const folder = temporaryFolder();
const env = { DATABASE_URL: "postgresql://nobody@127.0.0.1:9/nothing", OPERATIONS_DATABASE_URL: operationsUrl };
const run = (...args: string[]) => callCommand("person", args, env);

const known = { lastName: "Invitedname" };

test("export includes the opt-outs and bounces of the invited and of the answered contact, and no others", async () => {
  const { reference } = await submitted({ email: "invited@landlord.example", mobile: "61400000077" });
  const [answered] = await sql<{ email: string }>("SELECT email FROM applications WHERE reference = $1", [reference]);
  await suppress("email", "Invited@landlord.example", "bounced 5.1.1", mailSystem);
  await suppress("email", answered?.email ?? "", "opted out through a message", "");
  await suppress("sms", "61400000077", "asked us", "Vera");
  await suppress("sms", "61400000078", "asked us", "Vera");
  const { suppressions } = JSON.parse((await run("export", reference)).out);
  expect(suppressions).toMatchObject([
    { channel: "email", reason: "bounced 5.1.1", by: mailSystem, createdAt: expect.any(String) },
    { channel: "email", reason: "opted out through a message", by: "" },
    { channel: "sms", reason: "asked us", by: "Vera" },
  ]);
});

test.each(["export", "erase"])("%s names other applications with the same mobile or email", async (action) => {
  const mobile = action === "export" ? "61400000081" : "61400000082";
  const { reference } = await invited({ mobile, email: `${action}@landlord.example` });
  const sameEmail = await submitted({ email: `${action}@landlord.example` });
  const sameMobile = await invited({ mobile });
  const { code, err } = await run(action, reference);
  expect(code).toBe(0);
  expect(err).toContain("may concern the same person. This command does not include them.");
  for (const other of [sameEmail, sameMobile]) expect(err).toContain(other.reference);
  expect(err).not.toContain(reference);
});

test("a command that reads several tables at once prints no warning of the driver", async () => {
  const { reference } = await submitted(known);
  const result = await runCommand("person", ["export", reference], { DATABASE_URL: operationsUrl });
  expect(result).toMatchObject({ code: 0, err: expect.not.stringMatching(/warning/i) });
});

test("the personal data has each table's rows in the order of their creation", async () => {
  const { reference, token } = await submitted(known);
  await post(saveLandlord, { token, data: landlord });
  const { exportedAt, application, ...tables } = await personalDataOf(reference.replace("-", ""));
  expect(Math.abs(Date.now() - Date.parse(exportedAt))).toBeLessThan(60_000);
  expect(tables).toMatchObject({ reference, consent_records: [{ version: expect.any(String) }], message_attempts: [] });
  expect(application).toMatchObject({ reference, status: "submitted" });
  const events = tables.events as { id: number; kind: string }[];
  expect(events.map(({ kind }) => kind)).toEqual([
    ...["link_issued", "link_opened", "step_saved", "step_saved", "step_saved", "submitted"],
  ]);
});

test("an export during which the person is erased prints everything as it was before", async () => {
  const { id, reference } = await submitted(known);
  const lock = "LOCK TABLE consent_records IN ACCESS EXCLUSIVE MODE";
  const erase = () => sql("SELECT erase_applications(ARRAY[$1::uuid], 'Vera')", [id]);
  const { code, out } = await blockedBy(lock, [], () => run("export", reference), erase);
  const { application, consent_records: records, events, links } = JSON.parse(out);
  expect(code).toBe(0);
  expect(application).toMatchObject({ firstName: "Ada", erasedAt: null });
  expect(records).toMatchObject([{ answers: { firstName: "Ada" } }]);
  expect(events.map(({ kind }: { kind: string }) => kind)).not.toContain("erased");
  expect(links).toMatchObject([{ revokedAt: null }]);
  expect(out).not.toContain("tokenHash");
});

test("the page for the landlord has words and no hashes or JSON, and shows data as text, never as markup", async () => {
  const { reference } = await submitted(known);
  const stored = await personalDataOf(reference);
  const application = {
    ...stored.application,
    firstName: '<b>Ada & "Co"</b>',
    agencyName: "Paid\u202e\u001b[31m",
    quotes: [450, 2450],
  };
  const data = { ...stored, application };
  const page = personalDataPage(data);
  expect(page).toContain("<dt>Full name</dt><dd>&#60;b&#62;Ada &#38; &#34;Co&#34;&#60;/b&#62;</dd>");
  expect(page).toMatch(/<h2>What we knew when we invited you<\/h2>[\s\S]*<dt>Last name<\/dt><dd>Invitedname<\/dd>/);
  expect(page).toContain("<dd>Paid\\u202e\\u001b[31m</dd>");
  expect(page).toContain("<dt>Quotes</dt><dd>$450.00, $2,450.00</dd>");
  expect(page).toContain("<dt>Status</dt><dd>Received</dd>");
  expect(page).toMatch(/<dt>[\d-]+ [\d:]+ AE[DS]T<\/dt><dd>Step saved: step 1<\/dd>/);
  expect(page).toContain("[x] I authorise my agent");
  expect(page).toContain("[ ] I will provide");
  const { consent_records: records, links } = stored;
  const hidden = [
    stored.application.id,
    records[0]?.documentHash,
    records[0]?.recordHash,
    records[0]?.salt,
    links[0]?.id,
  ];
  for (const value of hidden) expect(page).not.toContain(String(value));
  expect(page.replace(/<style>[\s\S]*<\/style>/, "")).not.toMatch(/[{}]|undefined|null|\[object/);
});

test("export writes the page for its user alone and overwrites no file", async () => {
  const { reference } = await submitted(known);
  const file = join(folder, "personal-data.html");
  expect(await run("export", reference, "--html", file)).toMatchObject({ code: 0, out: `Wrote ${file}.\n` });
  expect(readFileSync(file, "utf8")).toContain("<dt>Full name</dt><dd>Ada</dd>");
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect((await run("export", reference, "--html", file)).code).toBe(1);
});

test("erase removes the person, also after submission, and the link opens nothing any more", async () => {
  const { reference, token } = await submitted(known);
  expect((await run("erase", reference, "--by", "Vera")).out).toContain(`erased from ${reference}`);
  const { out } = await run("export", reference);
  expect(out).not.toMatch(/Ada|Invitedname|ada@|0\.0\.0\.0|127\.0\.0\.1/);
  const data = JSON.parse(out);
  expect(data.application).toMatchObject({ reference, status: "submitted", firstName: "" });
  expect(data.consent_records[0]).toMatchObject({ userAgent: "", confirmLoan: true });
  expect(data.events.at(-1)).toMatchObject({ kind: "erased", by: "Vera" });
  expect((await post(verify, { token })).status).toBe(401);
});

test("on a terminal an erasure names the person and waits for a yes", async () => {
  const { reference } = await submitted(known);
  const onErase = (input: string | AsyncIterable<string>, ...flags: string[]) =>
    callCommand("person", ["erase", reference, ...flags], env, { input, isTerminal: true });
  const refused = await onErase("n\n");
  // On stderr like the question, so that both are seen if the output goes to a file.
  const question = `${reference}: Ada \\S+, submitted\\..+Erase ${reference}\\? \\[y/N\\] $`;
  expect(refused.err).toMatch(new RegExp(question, "s"));
  expect([refused.code, refused.out]).toEqual([1, "Nothing was erased.\n"]);
  expect((await run("export", reference)).out).toContain("Ada");
  async function* answered() {
    await setStatus(reference, "approved", { by: "Rui" });
    yield "y\n";
  }
  const late = await onErase(answered());
  expect(late.code).toBe(1);
  expect(late.err).toContain("has changed in the meantime. Nothing was erased.");
  expect((await onErase("", "--yes")).err).not.toContain("[y/N]");
  expect((await run("export", reference)).out).not.toContain("Ada");
});

const [right, terms] = [{ email: "right@mail.example" }, { expiresDays: 30, by: "Rui" }];

test.each<[string, (reference: string, token: string) => Promise<unknown>]>([
  ["the applicant submits", (_, token) => fillInAndSubmit(token)],
  ["the contact is corrected", (reference) => correctContact(reference, right, terms)],
  ["a colleague erases the person", (reference) => eraseApplication(reference, "Rui")],
])("an erasure is refused if %s before it is confirmed", async (_, change) => {
  const { id, reference, token } = await invited(known);
  const shown = await prisma().application.findUniqueOrThrow({ where: { id } });
  await change(reference, token);
  const refusal = `${reference} has changed in the meantime. Nothing was erased. Run the command again.`;
  await expect(eraseApplication(reference, "Vera", shown)).rejects.toThrow(refusal);
});

test("a reference that no application has is an error", async () => {
  expect(await run("export", "AAAA-AAAA")).toEqual({ code: 1, out: "", err: "There is no application AAAA-AAAA.\n" });
});
