import { hardBounce } from "@/__tests__/support/bounces";
import { freshDatabase } from "@/__tests__/support/database";
import { invited } from "@/__tests__/support/invited";
import { post } from "@/__tests__/support/post";
import { setStatus } from "@/__tests__/support/set-status";
import { submitted } from "@/__tests__/support/submitted";
import { POST as createByApi } from "@/app/api/v1/invitations/route";
import { eraseApplication } from "@/lib/server/applications/erase";
import { addNote, releaseApplication, takeApplication } from "@/lib/server/applications/handling";
import { applyReport } from "@/lib/server/channels/bounces/apply-report";
import { createKey } from "@/lib/server/invitations/api-keys";
import { correctContact } from "@/lib/server/invitations/correct-contact";
import { reissueLink, revokeLinks } from "@/lib/server/invitations/links";

const { sql, countRows, blockedBy, insertMessage, appUrl } = freshDatabase();
const terms = { expiresDays: 30, by: "Ines" };

/**
 * Runs `run` and makes its first write to a table fail as if it had lost a deadlock. This takes no time, while Postgres detects a
 * real one only after a second.
 */
async function losingDeadlock<T>(write: "INSERT ON events" | "UPDATE ON messages", run: () => Promise<T>): Promise<T> {
  // nextval is not rolled back, so the sequence counts the writes.
  await sql(`CREATE SEQUENCE writes; CREATE FUNCTION lose() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$ BEGIN
    IF nextval('writes') = 1 THEN RAISE 'deadlock detected' USING ERRCODE = 'deadlock_detected'; END IF;
    RETURN NEW;
  END $$`);
  await sql(`CREATE TRIGGER lose BEFORE ${write} FOR EACH ROW EXECUTE FUNCTION lose()`);
  try {
    const result = await run();
    expect(Number((await sql("SELECT last_value FROM writes"))[0]?.last_value)).toBeGreaterThan(1);
    return result;
  } finally {
    await sql("DROP FUNCTION lose CASCADE; DROP SEQUENCE writes");
  }
}

async function taken() {
  const application = await invited();
  await takeApplication(application.reference, "Ines");
  return application;
}

test.each<[what: string, invite: () => Promise<{ reference: string }>, run: (reference: string) => Promise<unknown>]>([
  ["a revocation", invited, (reference) => revokeLinks(reference, "Ines")],
  ["a reissue", invited, (reference) => reissueLink(reference, terms)],
  ["a corrected contact", invited, (reference) => correctContact(reference, { email: "right@mail.example" }, terms)],
  ["an erasure", invited, (reference) => eraseApplication(reference, "Ines")],
  ["a decision", submitted, (reference) => setStatus(reference, "approved", { by: "Ines" })],
  ["a note", invited, (reference) => addNote(reference, "Called on Monday", "Ines")],
  ["a take", invited, (reference) => takeApplication(reference, "Ines")],
  ["a release", taken, (reference) => releaseApplication(reference, "Ines")],
  ["an invitation", invited, () => invited()],
])("%s that loses a deadlock is repeated", async (_, invite, run) => {
  const { reference } = await invite();
  const before = await countRows("events");
  await losingDeadlock("INSERT ON events", () => run(reference));
  expect(await countRows("events")).toBeGreaterThan(before);
});

test("a system whose invitation loses a deadlock gets its link, and no second application", async () => {
  await sql(`GRANT INSERT ON api_keys TO "${new URL(appUrl).username}"`);
  const headers = { authorization: `Bearer ${await createKey("crm", ["create"], "Ines")}`, "idempotency-key": "1" };
  const call = () => post(createByApi, { mobile: "0412 345 678" }, { headers });
  // Postgres cancels the session that looks for a deadlock first, and this one looks only after ten minutes.
  const lockApplications = () => sql("LOCK TABLE applications IN ACCESS EXCLUSIVE MODE");
  const lockEvents = "SET LOCAL deadlock_timeout = '10min'; LOCK TABLE events IN SHARE ROW EXCLUSIVE MODE";
  const { status, body } = await blockedBy(lockEvents, [], call, lockApplications);
  expect(status).toBe(201);
  expect((await call()).body).toEqual(body);
});

test("a bounce whose recording loses a deadlock is recorded", async () => {
  const { id: applicationId } = await invited();
  const { id } = await insertMessage({ applicationId, kind: "invitation", state: "sent", sentAt: new Date() });
  expect(await losingDeadlock("UPDATE ON messages", () => applyReport(hardBounce(id)))).toBe("bounced");
});
