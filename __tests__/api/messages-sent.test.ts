import { callCommand } from "@/__tests__/support/call-command";
import { verify } from "@/__tests__/support/calls";
import { freshDatabase } from "@/__tests__/support/database";
import { post } from "@/__tests__/support/post";
import { ownMailServer } from "@/__tests__/support/providers";
import { tokenIn } from "@/__tests__/support/sending";
import { fillInAndSubmit } from "@/__tests__/support/submitted";
import { until } from "@/__tests__/support/until";
import { startWorker } from "@/lib/server/delivery/worker";

const { sql, appUrl, operationsUrl } = freshDatabase();

const server = ownMailServer({ STAFF_EMAILS: "ops@lender.example", STATUS_DELAY_MINUTES: "0" });
let worker: ReturnType<typeof startWorker>;
beforeAll(() => {
  worker = startWorker(appUrl, { spacingMs: 0 });
});
afterAll(() => worker.stop());

const command = (name: string, ...args: string[]) => callCommand(name, args, { DATABASE_URL: operationsUrl });

interface Listed {
  number: number;
  kind: string;
  recipient: string;
  state: string;
}
const list = async (...args: string[]): Promise<Listed[]> =>
  JSON.parse((await command("messages", "list", "--json", ...args)).out);

/** Waits for an email to this recipient with this subject, and returns the text of the latest. */
async function textTo(recipient: string, subject: RegExp): Promise<string> {
  let text: string | undefined;
  await until(async () => {
    for (let n = server.raw.length - 1; n >= 0 && text === undefined; n -= 1) {
      const email = await server.read(n);
      if (server.envelopes[n]?.includes(recipient) && subject.test(email.subject ?? "")) text = email.text ?? "";
    }
    return text !== undefined;
  });
  return text ?? "";
}

test("only reminders before the links expire are announced", async () => {
  const args = ["--mobile", "61412345699", "--email", "short@mail.example", "--send", "--preview"];
  const { err } = await command("invite", ...args, "--expires-days", "7");
  expect(err).toContain("To send: 1 by email, with reminders after 3 days.");
});

test("an invitation is sent, its link opens the application, and the submission is confirmed to everybody", async () => {
  const args = ["--json", "--mobile", "61412345678", "--email", "ada@mail.example", "--send"];
  const { out, err } = await command("invite", ...args);
  const { reference, token: printed } = JSON.parse(out);
  expect(err).toContain("To send: 1 by email, with reminders after 3, 7, 14 days.");
  const token = tokenIn(await textTo("ada@mail.example", /invitation/));
  expect(token).not.toBe(printed);
  for (const linkToken of [token, printed])
    expect((await post(verify, { token: linkToken })).body.data).toMatchObject({ reference });
  await fillInAndSubmit(token);
  const [{ email } = {}] = await sql("SELECT email FROM applications WHERE reference = $1", [reference]);
  // The applicant typed another address than the invited one, so the confirmation has no link.
  expect(tokenIn(await textTo(email, /received/))).toBe("");
  await textTo("ops@lender.example", new RegExp(reference));
  // The worker records a message as sent only after the mail server has accepted it.
  let kinds: string[] = [];
  await until(async () => {
    kinds = (await list("--reference", reference)).map(({ kind, state }) => `${kind} ${state}`);
    return !kinds.join().includes("sending");
  });
  expect(kinds).toEqual([
    "staff-notice sent",
    "confirmation sent",
    ...["reminder waiting", "reminder waiting", "reminder waiting"],
    "invitation sent",
  ]);
});

test("a test message reports its outcome", async () => {
  expect(await command("messages", "test", "you@lender.example", "--by", "Vera")).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^Message \d+: sent\.\n$/),
  });
  const [newest] = await list();
  expect(newest).toMatchObject({ kind: "test", recipient: "you@lender.example", state: "sent", by: "Vera" });
});
