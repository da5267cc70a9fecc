import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { callCommand } from "@/__tests__/support/call-command";
import { freshDatabase } from "@/__tests__/support/database";
import { invited } from "@/__tests__/support/invited";
import { ownMailServer } from "@/__tests__/support/providers";
import { onTerminal } from "@/__tests__/support/run-command";
import { claimFor, finish } from "@/__tests__/support/sending";
import { setStatus } from "@/__tests__/support/set-status";
import { reportFigure, size } from "@/__tests__/support/size";
import { submitted } from "@/__tests__/support/submitted";
import { temporaryFolder } from "@/__tests__/support/temporary-folder";
import { until } from "@/__tests__/support/until";
import type { StatusAfterSubmission } from "@/lib/domain/statuses";
import { eraseApplication } from "@/lib/server/applications/erase";
import { startWorker } from "@/lib/server/delivery/worker";
import { reissueLink } from "@/lib/server/invitations/links";

const { sql, untilBlocked, blockedBy, appUrl, operationsUrl } = freshDatabase();

const folder = temporaryFolder();
ownMailServer();

const env = { DATABASE_URL: operationsUrl };
const run = (...args: string[]) => callCommand("status", args, env);
const statusOf = async (reference: string) =>
  (await sql("SELECT status FROM applications WHERE reference = $1", [reference]))[0]?.status;
const emails = (id: string) =>
  sql<{ detail: string; state: string; minutes: number }>(
    `SELECT detail, state, round(extract(epoch FROM "dueAt" - "createdAt") / 60)::int AS minutes FROM messages
     WHERE "applicationId" = $1 AND kind = 'status' ORDER BY number`,
    [id],
  );

function csv(content: string): string {
  const file = join(folder, `${Math.random()}.csv`);
  writeFileSync(file, content);
  return file;
}

const onPrompt = (typed: string, ...args: string[]) => onTerminal(typed, ["status", ...args], env);

test("on a terminal the command names the application and the email's recipient, and waits for a yes", async () => {
  const { reference } = await submitted({ email: "ada@mail.example" });
  const { code, out } = await onPrompt("y\n", reference, "approved");
  expect(out).toMatch(new RegExp(`${reference} +Ada Byron +submitted → approved +email to ada@\\S+ in 5 minutes`));
  expect(code).toBe(0);
  expect(await statusOf(reference)).toBe("approved");
});

const typing = (input: string | AsyncIterable<string>, ...args: string[]) =>
  callCommand("status", args, env, { input, isTerminal: true });

test("with --yes the command does not ask, even on a terminal", async () => {
  const { reference } = await submitted();
  expect((await typing("", reference, "declined", "--yes")).err).not.toContain("[y/N]");
  expect(await statusOf(reference)).toBe("declined");
});

test("Ctrl-C at the prompt sets no status", async () => {
  const { reference } = await submitted();
  const { code, out } = await onPrompt("\u0003", reference, "approved");
  expect([code, out.includes("No status was set."), out.includes("Aborted")]).toEqual([1, true, false]);
  expect(await statusOf(reference)).toBe("submitted");
});

test.each([
  // The terminal ends the input.
  ["Ctrl-D", ""],
  ["No", "n\n"],
])("%s at the prompt sets no status", async (_, input) => {
  const { reference } = await submitted();
  const { code, out, err } = await typing(input, reference, "approved");
  expect([code, err]).toEqual([1, "Set this status? [y/N] "]);
  expect(out).toContain("No status was set.");
  expect(await statusOf(reference)).toBe("submitted");
});

test("--no-message cancels the earlier email of a decision that it corrects or repeats", async () => {
  const { id, reference } = await submitted({ email: "ada@mail.example" });
  await run(reference, "approved");
  const corrected = await run(reference, "in-review", "--no-message");
  expect(corrected.out).toContain("No email is sent to the applicant.");
  await run(reference, "approved", "--no-message");
  expect((await emails(id)).map(({ state }) => state)).toEqual(["cancelled"]);
  await run(reference, "declined");
  const silenced = await run(reference, "declined", "--no-message");
  expect(silenced.out).toBe(`${reference} was already declined: its email was cancelled.\n`);
  expect((await emails(id)).map(({ state }) => state)).toEqual(["cancelled", "cancelled"]);
});

test("a status changed during the prompt is not overwritten", async () => {
  const { reference } = await submitted();
  await setStatus(reference, "declined", { by: "Rui" });
  await expect(setStatus(reference, "approved", { by: "Ines", before: "submitted" })).rejects.toThrow(
    `${reference} is now declined, because someone changed it in the meantime`,
  );
});

test("'paid' follows only 'approved', and both it and 'withdrawn' can be changed back", async () => {
  const { id, reference } = await submitted({ email: "paid@mail.example" });
  const set = (status: StatusAfterSubmission) => setStatus(reference, status, { by: "Ines" });
  await expect(set("paid")).rejects.toThrow(
    `${reference} is submitted: only an application that is approved can be set to paid. Nothing was changed.`,
  );
  for (const status of ["withdrawn", "approved", "paid", "approved", "paid", "withdrawn"] as const) await set(status);
  await expect(set("paid")).rejects.toThrow(`${reference} is withdrawn`);
  expect((await emails(id)).filter(({ state }) => state === "waiting")).toMatchObject([{ detail: "withdrawn" }]);
  expect(await statusOf(reference)).toBe("withdrawn");
});

test("the status of a person erased during the prompt is not set", async () => {
  const { reference } = await submitted();
  async function* typed() {
    await eraseApplication(reference, "Rui");
    yield "y\n";
  }
  const { code, err } = await typing(typed(), reference, "approved");
  expect([code, err]).toEqual([1, expect.stringContaining("has been erased in the meantime. Nothing was changed.\n")]);
  expect(await statusOf(reference)).toBe("submitted");
});

test("the delay of an email begins when the status is set, however long the command has waited", async () => {
  const { id, reference } = await submitted({ email: "waits@mail.example" });
  await sql("BEGIN");
  await sql("SELECT FROM applications WHERE id = $1 FOR UPDATE", [id]);
  const set = setStatus(reference, "approved", { by: "Ines" });
  await untilBlocked();
  await sleep(200);
  const [{ now } = { now: new Date() }] = await sql<{ now: Date }>("SELECT clock_timestamp() AS now");
  await sql("COMMIT");
  const { emailedAt } = await set;
  expect(Number(emailedAt)).toBeGreaterThanOrEqual(now.getTime() + 5 * 60_000);
});

test("a decision corrected within the delay is never emailed, nor is a status that the applicant already knows", async () => {
  const slip = await submitted();
  const back = await submitted();
  await setStatus(slip.reference, "declined", { by: "Ines" });
  await setStatus(slip.reference, "approved", { by: "Ines" });
  await setStatus(back.reference, "declined", { by: "Ines" });
  expect(await setStatus(back.reference, "submitted", { by: "Ines" })).toMatchObject({ emailedAt: null });
  expect(await emails(slip.id)).toMatchObject([{ minutes: 5 }, { minutes: 5 }]);
  await sql(`UPDATE messages SET "dueAt" = now() WHERE kind = 'status'`);
  const worker = startWorker(appUrl, { spacingMs: 0 });
  const states = async (id: string) => (await emails(id)).map(({ detail, state }) => `${detail} ${state}`);
  await until(async () => !`${await states(slip.id)} ${await states(back.id)}`.match(/waiting|sending/));
  await worker.stop();
  expect(await states(slip.id)).toEqual(["declined cancelled", "approved sent"]);
  expect(await states(back.id)).toEqual(["declined cancelled"]);
  reportFigure(73, "a slip corrected within the delay: 0 emails about it, 1 about the correction");
});

test("a decision that is set again is emailed, even if the mail server defers its earlier email meanwhile", async () => {
  const { id, reference } = await submitted();
  await setStatus(reference, "approved", { by: "Ines" });
  await sql(`UPDATE messages SET "dueAt" = now() WHERE "applicationId" = $1 AND kind = 'status'`, [id]);
  const claimed = await claimFor(id, "status");
  await sql(`UPDATE message_attempts SET "contactedAt" = now() WHERE id = $1`, [claimed.attemptId]);
  await setStatus(reference, "declined", { by: "Ines" });
  const approve = () => setStatus(reference, "approved", { by: "Ines" });
  const defer = () => finish(claimed, { state: "later", error: "451" }, "");
  await blockedBy("LOCK TABLE events IN SHARE MODE", [], approve, defer);
  expect((await emails(id)).filter(({ state }) => state === "waiting")).toMatchObject([{ detail: "approved" }]);
});

describe("a decision while another operator's email with a new link waits", () => {
  const lost = (reference: string) =>
    `The email with the new link of ${reference} was cancelled: 'npm run links -- reissue ${reference} --send' sends another link.`;

  /** An application in review whose answers have the address ada@example.com. */
  async function reissued(invitedEmail: string) {
    const { id, reference } = await submitted({ email: invitedEmail });
    expect((await run(reference, "in-review", "--no-message")).out).not.toContain(lost(reference));
    await reissueLink(reference, { expiresDays: 30, by: "Ines", send: true });
    return { id, reference };
  }

  test("with --no-message it says that the email was cancelled", async () => {
    const { id, reference } = await reissued("ada@example.com");
    expect((await run(reference, "declined", "--no-message", "--by", "Vera")).out).toContain(lost(reference));
    expect(await emails(id)).toMatchObject([{ detail: "in-review", state: "cancelled" }]);
  });

  test("if its own email goes to another address, where it carries no link, a list says so as well", async () => {
    const { reference } = await reissued("ada@mail.example");
    expect((await run("--csv", csv(`reference,status\n${reference},declined\n`))).out).toContain(lost(reference));
  });

  test("if its own email carries a link, no link is lost", async () => {
    const { reference } = await reissued("ada@example.com");
    expect((await run(reference, "declined")).out).not.toContain(lost(reference));
    expect((await run(reference, "approved")).out).not.toContain(lost(reference));
  });
});

test("a reissue that is sent while the email of a decision waits brings its link at once, and not the status", async () => {
  const { id, reference } = await submitted({ email: "ada@example.com" });
  await run(reference, "approved");
  await reissueLink(reference, { expiresDays: 30, by: "Ines", send: true });
  const due = `SELECT kind FROM messages WHERE "applicationId" = $1 AND by = 'Ines' AND "dueAt" <= now() ORDER BY number`;
  const sent = () => sql(due, [id]);
  expect(await sent()).toEqual([{ kind: "confirmation" }]);
  await sql(`UPDATE messages SET state = 'sent', "sentAt" = now() WHERE "applicationId" = $1`, [id]);
  await reissueLink(reference, { expiresDays: 30, by: "Ines", send: true });
  expect(await sent()).toEqual([{ kind: "confirmation" }, { kind: "status" }]);
});

test("a list with --no-message says which waiting emails it cancels", async () => {
  const { reference, id } = await submitted();
  const file = csv(`reference,status\n${reference},declined\n`);
  await run("--csv", file);
  const preview = await run("--csv", file, "--no-message", "--preview");
  expect(preview.out).toContain("\tany email still waiting is cancelled\t");
  expect((await run("--csv", file, "--no-message")).out).toMatch(/\n1 email is cancelled\.\n$/);
  expect(await emails(id)).toMatchObject([{ state: "cancelled" }]);
});

test("a recipient who is not in SANDBOX_RECIPIENTS gets no email, and the command says so", async () => {
  const { reference } = await submitted();
  const sandbox = { ...env, APP_URL: "", SANDBOX_RECIPIENTS: "someone@else.example" };
  const { out } = await callCommand("status", [reference, "approved"], sandbox);
  expect(out).toMatch(
    /^No email is sent to the applicant: \S+@\S+ is not in SANDBOX_RECIPIENTS; the app still sends if its own APP_URL is set\.$/m,
  );
  expect(out).not.toContain("The applicant will get an email");
});

test("a delay of one minute is written as one minute", async () => {
  const { reference } = await submitted();
  const oneMinute = { ...env, STATUS_DELAY_MINUTES: "1" };
  const { out } = await callCommand("status", [reference, "approved", "--preview"], oneMinute);
  expect(out).toMatch(/email to \S+ in 1 minute\t/);
});

test("a forgotten reason is added to the decision already made", async () => {
  const { reference, id } = await submitted();
  const approved = await run(reference, "Approved", "--by", "Ines");
  expect(approved.out).toMatch(
    /The applicant will get an email\.\nIt goes to \S+@\S+ at .*, unless the status changes before then\./,
  );
  const { out } = await run(reference, "approved", "--by", "Ines", "--reason", "Rent is proven");
  expect(out).toBe(`${reference} was already approved: the reason was added.\n`);
  expect(await sql(`SELECT detail, by, reason FROM events WHERE kind = 'reason_added'`)).toEqual([
    { detail: "approved", by: "Ines", reason: "Rent is proven" },
  ]);
  const again = await run(reference, "approved", "--by", "Ines", "--reason", "Rent is proven");
  expect(again.out).toBe(`${reference} was already approved: nothing has changed.\n`);
  expect(await sql(`SELECT FROM events WHERE kind = 'reason_added'`)).toHaveLength(1);
  expect(await emails(id)).toHaveLength(1);
});

describe("a list of decisions", () => {
  const count = size(20, 100);
  const many = () => Promise.all(Array.from({ length: count }, () => submitted()));
  const line = ({ reference }: { reference: string }) => `${reference.toLowerCase()},Approved,"Rent is\nproven"`;

  test("a list is applied as a whole: if a row is invalid, it is named and no status is set", async () => {
    const all = await many();
    const draft = await invited();
    const file = csv(["Reference,Status,Reason", ...all.map(line), `${draft.reference},approved,`].join("\n"));
    const refused = await run("--csv", file);
    expect(refused).toMatchObject({
      code: 1,
      err: `${file}, row ${count + 2}: ${draft.reference} has not been submitted yet.\nNo status was set.\n`,
    });
    const ids = all.map(({ id }) => id);
    const approvals = "SELECT FROM applications WHERE id = ANY ($1) AND status = 'approved'";
    const howMany = async () => (await sql(approvals, [ids])).length;
    expect(await howMany()).toBe(0);
    reportFigure(73, `${count} decisions by list with one wrong row: 0 made, the row named`);
    const corrected = csv(["Reference,Status,Reason", ...all.map(line)].join("\n"));
    const preview = await run("--csv", corrected, "--preview");
    expect(preview.out.match(/submitted → approved\temail to \S+ in 5 minutes\tRent is proven/g)).toHaveLength(count);
    expect(await howMany()).toBe(0);
    expect((await run("--csv", corrected, "--by", "Ines")).out).toContain(`\n${count} statuses are set.\n`);
    expect(await howMany()).toBe(count);
    const decisions = `SELECT by, reason, count(*)::int FROM events
      WHERE "applicationId" = ANY ($1) AND kind = 'status_changed' GROUP BY 1, 2`;
    expect(await sql(decisions, [ids])).toEqual([{ by: "Ines", reason: "Rent is proven", count }]);
  });

  test.each([
    ["reference,status,who,when\n", "unknown column who, when. The columns are reference, status, reason."],
    ["reference\nK7QM-4XRT\n", "needs the columns reference and status."],
    ["reference,status\n", "has no rows."],
    ["reference,status\nAAAA-AAAA,approved\n", "row 2: There is no application AAAA-AAAA."],
    ["reference,status\nAAAA-AAAA,fine\n", "row 2: The status cannot be fine"],
    ["reference,status\nAAAA-AAAA,\n", "row 2: the status is missing"],
    ["reference,status,reason\n,approved,\nAAAA-AAAA,,\n", "row 2: the reference is missing"],
    ["reference,,status\nAAAA-AAAA,,approved\n", "row 2: There is no application AAAA-AAAA."],
    ["reference,status,Status\nAAAA-AAAA,approved,declined\n", "has the column status twice: 'status', 'Status'."],
    ["reference,status,reason\nAAAA-AAAA,declined,No, really\n", "row 2: a cell has no heading above it: 'really'"],
    ["reference,status,reason\nAAAA-AAAA,declined,a\0b\n", "row 2: The reason has a character that cannot be saved."],
    [
      "reference,status,reason\r\nAAAA-AAAA,approved,\nBBBB-BBBB,declined,No\r\n",
      "row 3: There is no application BBBB-BBBB",
    ],
  ])("%j is refused: %s", async (content, problem) => {
    const { code, err } = await run("--csv", csv(content));
    expect([code, err]).toEqual([1, expect.stringContaining(problem)]);
  });

  test("an export is a list of decisions, whose other columns are ignored and whose drafts stay drafts", async () => {
    const { id, reference } = await submitted({ firstName: "=Ada" });
    await invited();
    const file = join(folder, "export.csv");
    await callCommand("export", ["--out", file], env);
    const edited = csv(readFileSync(file, "utf8").replace(`${reference},submitted`, `="${reference}",Withdrawn`));
    expect((await run("--csv", edited)).out).toContain("\n1 status is set.\n");
    expect(await statusOf(reference)).toBe("withdrawn");
    expect(await emails(id)).toMatchObject([{ detail: "withdrawn" }]);
  });

  test("every wrong row is shown or, with --errors, written to a new file", async () => {
    const file = csv(`reference,status\n${"AAAA-AAAA,fine\n".repeat(12)}`);
    expect((await run("--csv", file)).err.match(/row \d+: The status cannot be fine/g)).toHaveLength(12);
    const errors = join(folder, "errors.csv");
    expect(await run("--csv", file, "--errors", errors)).toMatchObject({
      code: 1,
      err: `12 wrong rows are in ${errors}. No status was set.\n`,
    });
    expect(readFileSync(errors, "utf8").split("\r\n")).toHaveLength(14);
    expect((await run("--csv", file, "--errors", errors)).err).toContain("already exists");
    expect((await run("--csv", file, "--errors", errors, "--force")).err).toContain("12 wrong rows are in");
  });

  test("the command counts the statuses and the added reasons", async () => {
    const [first, second, third] = await Promise.all([submitted(), submitted(), submitted()]);
    const list = (rows: string[]) => csv(["reference,status,reason", ...rows].join("\n"));
    const set = async (...rows: string[]) => (await run("--csv", list(rows))).out.split("\n").at(-2);
    expect(await set(`${first.reference},approved,`)).toBe("1 status is set.");
    expect(await set(`${first.reference},approved,`)).toBe("Nothing has changed.");
    expect(await set(`${first.reference},In Review,`)).toBe("1 status is set.");
    expect(await set(`${first.reference},APPROVED,`)).toBe("1 status is set.");
    expect(await set(`${first.reference},approved,Rent is proven`)).toBe("1 reason is added.");
    const rows = [`${second.reference},approved,`, `${third.reference},declined,No`, `${first.reference},approved,Yes`];
    expect(await set(...rows)).toBe("2 statuses are set. 1 reason is added.");
  });

  test("a list that names an application twice is refused", async () => {
    const { reference } = await submitted();
    const { err } = await run("--csv", csv(`reference,status\n${reference},approved\n${reference},declined\n`));
    expect(err).toContain(`row 3: ${reference} is in the file twice`);
  });
});
