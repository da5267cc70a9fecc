import type { freshDatabase } from "@/__tests__/support/database";
import { reportAbout } from "@/__tests__/support/delivery-reports";
import { invited } from "@/__tests__/support/invited";
import { readSettings, replaceSettings } from "@/lib/server/settings";

export const reportOn = (name: string, id: string) => reportAbout(name, `${id}@lender.example`);
export const hardBounce = (id: string) => reportOn("postfix-unknown-user", id);
export const complaint = (id: string) => reportOn("arf-abuse", id);

export const address = "alex@landlord.example";
export const mobile = "61412345678";

/** Configures an SMS provider, or none. Nothing can be sent, because nothing listens at the provider's address. */
export function setUpSms({ sms = true } = {}): void {
  const settings = readSettings(process.env);
  const provider = { provider: "generic", url: "http://127.0.0.1:9", body: "{}", from: "Lender" } as const;
  const account = { account: "", secret: "", countries: ["61"], reportSecret: undefined };
  const sending = { ...settings.sending, sms: sms ? { ...provider, ...account } : undefined };
  replaceSettings({ ...settings, sending, SANDBOX_RECIPIENTS: ["*"] });
}

/** Helpers for tests of bounces. Each test begins without messages and suppressions. */
export function bounceHelpers({ sql, insertMessage }: ReturnType<typeof freshDatabase>) {
  beforeEach(() => sql("DELETE FROM message_attempts; DELETE FROM messages; DELETE FROM suppressions"));

  /** Creates an application with an invitation that was emailed and a reminder that is enqueued. */
  async function emailed(to = address) {
    const { id: application, reference } = await invited({ email: to, mobile });
    const message = { applicationId: application, recipient: to };
    const { id } = await insertMessage({ ...message, kind: "invitation", state: "sent", sentAt: new Date() });
    const dueAt = new Date(Date.now() + 3 * 86_400_000);
    await insertMessage({ ...message, kind: "reminder", dueAt, detail: "day 3" });
    return { application, reference, id };
  }

  async function stateOf(id: string) {
    const [row] = await sql(`SELECT state, error FROM messages WHERE id = $1`, [id]);
    return row;
  }

  /** Runs `work` while Postgres refuses updates of one message. */
  async function whileRefused(id: string, work: () => Promise<unknown>, code = "check_violation"): Promise<void> {
    await sql(`CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
    'BEGIN RAISE EXCEPTION ''refused'' USING ERRCODE = ''${code}''; END'`);
    await sql(
      `CREATE TRIGGER refuse BEFORE UPDATE ON messages FOR EACH ROW WHEN (OLD.id = '${id}') EXECUTE FUNCTION refuse()`,
    );
    await work().finally(() => sql("DROP FUNCTION refuse CASCADE"));
  }

  const reasons = async () =>
    (await sql<{ reason: string }>("SELECT reason FROM suppressions")).map((row) => row.reason);

  return { emailed, stateOf, reasons, whileRefused };
}
