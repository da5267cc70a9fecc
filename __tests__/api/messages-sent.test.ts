import { setTimeout as sleep } from "node:timers/promises";
import { consent } from "@/__tests__/support/answers";
import { callCommand } from "@/__tests__/support/call-command";
import { fillIn, submitFinal, verify } from "@/__tests__/support/calls";
import { freshDatabase } from "@/__tests__/support/database";
import { post } from "@/__tests__/support/post";
import { ownMailServer } from "@/__tests__/support/providers";
import { fillInAndSubmit } from "@/__tests__/support/submitted";
import { until } from "@/__tests__/support/until";
import { startWorker } from "@/lib/server/messages/worker";

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
  for (;;) {
    for (let n = server.raw.length - 1; n >= 0; n -= 1) {
      const email = await server.read(n);
      if (server.envelopes[n]?.includes(recipient) && subject.test(email.subject ?? "")) return email.text ?? "";
    }
    await sleep(50);
  }
}

const tokenIn = (text: string) => /\?token=([\w-]{43})/.exec(text)?.[1] ?? "";

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
  const [{ email = "" } = {}] = await sql<{ email: string }>("SELECT email FROM applications WHERE reference = $1", [
    reference,
  ]);
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

test("a status email has a link if it goes to the invited address", async () => {
  const args = ["--json", "--mobile", "61412345678", "--email", "alex@example.com", "--send"];
  const { reference, token } = JSON.parse((await command("invite", ...args)).out);
  await fillIn(token);
  await sql(`UPDATE applications SET email = 'Alex@example.com' WHERE reference = $1`, [reference]);
  await post(submitFinal, { token, data: consent });
  expect((await command("status", reference, "approved")).out).toContain("The applicant will get an email.");
  const link = tokenIn(await textTo("Alex@example.com", /^Update/));
  expect((await post(verify, { token: link })).body.data).toMatchObject({ reference, status: "approved" });
});

test("a link that staff reissue goes to the invited contact as an invitation, since no one asked for it", async () => {
  const args = ["--json", "--mobile", "61412345678", "--email", "bo@mail.example"];
  const { reference } = JSON.parse((await command("invite", ...args)).out);
  await command("links", "reissue", reference, "--send");
  const token = tokenIn(await textTo("bo@mail.example", /^Your invitation/));
  expect((await post(verify, { token })).body.data).toMatchObject({ reference });
});

test("a test message reports its outcome", async () => {
  expect(await command("messages", "test", "you@lender.example")).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^Message \d+: sent\.\n$/),
  });
});
