import type { freshDatabase } from "@/__tests__/support/database";
import { reportAbout } from "@/__tests__/support/delivery-reports/samples";
import { invited } from "@/__tests__/support/invited";
import { readSettings, replaceSettings } from "@/lib/server/settings";

export const reportOn = (name: string, id: string) => reportAbout(name, `${id}@lender.example`);
export const hardBounce = (id: string) => reportOn("lhost-postfix-14", id);
export const complaint = (id: string) => reportOn("arf-15", id);

export const address = "alex@landlord.example";
export const mobile = "61412345678";

/** Configures an SMS provider, or none. Nothing can be sent, because nothing listens at the provider's address. */
export function setUpSms({ sms = true } = {}): void {
  const settings = readSettings(process.env);
  const provider = { provider: "generic", url: "http://127.0.0.1:9", body: "{}", from: "Lender" } as const;
  const account = { account: "", secret: "", countries: ["61"], reportSecret: undefined };
  const sending = { ...settings.sending, sms: sms ? { ...provider, ...account } : undefined };
  replaceSettings({ ...settings, sending });
}

type Sql = ReturnType<typeof freshDatabase>["sql"];

export function bounceHelpers(sql: Sql) {
  /** Creates an application with an invitation that was emailed and a reminder that is enqueued. */
  async function emailed(to = address) {
    const { id: application, reference } = await invited({ email: to, mobile });
    const [sent] = await sql<{ id: string }>(
      `INSERT INTO messages ("applicationId", kind, channel, recipient, state, "sentAt")
     VALUES ($1, 'invitation', 'email', $2, 'sent', now()) RETURNING id`,
      [application, to],
    );
    await sql(
      `INSERT INTO messages ("applicationId", kind, channel, recipient, "dueAt", detail)
     VALUES ($1, 'reminder', 'email', $2, now() + interval '3 days', 'day 3')`,
      [application, to],
    );
    return { application, reference, id: sent?.id ?? "" };
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
