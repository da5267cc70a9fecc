import { randomUUID } from "node:crypto";
import type { NodemailerError } from "nodemailer";
import { type MailServer, startMailServer } from "@/__tests__/support/mail-server";
import { failed, later, uncounted } from "@/__tests__/support/outcomes";
import { closeEmail, openEmail, openMailer, outcomeOf, sendEmail } from "@/lib/server/messages/email/send-email";
import { smtpOptions } from "@/lib/server/messages/email/transport";
import { readSettings, replaceSettings } from "@/lib/server/settings";

const failure = (fields: Partial<NodemailerError>) => Object.assign(new Error("about ada@example.com"), fields);
const [sent, unsent] = [true, false];

const dead = (error: string) => ({ ...failed(error), isDeadAddress: true });
const rcpt = (responseCode: number, response?: string) => ({ command: "RCPT TO", responseCode, response });
const data = (responseCode: number) => ({ command: "DATA", responseCode });
const full = rcpt(552, "552-5.2.2 Mailbox full, the user does not exist to us");
const refusedSender = { code: "EENVELOPE", responseCode: 550, command: "MAIL FROM" };

test.each<[string, Partial<NodemailerError>, boolean, object]>([
  ["an unknown recipient without a status", rcpt(550, "550 No such user here"), unsent, dead("550")],
  ["a full mailbox", full, unsent, failed("552 5.2.2")],
  ["a bare refusal", rcpt(500), unsent, failed("Error")],
  ["greylisting", rcpt(499), unsent, later("Error")],
  ["a server that shuts down", data(421), sent, uncounted("Error")],
  ["commands out of sequence", rcpt(503), unsent, uncounted("Error")],
  ["a missing login", rcpt(530), unsent, uncounted("Error")],
  ["no recipient", { code: "EENVELOPE" }, unsent, failed("EENVELOPE")],
  ["a text that is too large", { code: "EMESSAGE" }, unsent, failed("EMESSAGE")],
  ["an envelope that is refused for its sender", refusedSender, unsent, uncounted("EENVELOPE")],
])("the outcome of %s", (_, fields, isBegun, outcome) => {
  expect(outcomeOf(failure(fields), isBegun)).toEqual(outcome);
});

test.each<[Partial<NodemailerError>, string]>([
  [{ response: "550-5.123.456 several lines", code: "EENVELOPE" }, "550 5.123.456"],
  [{ response: "552 too large for ada@example.com" }, "552"],
  [{ response: "said 550 5.1.1", code: "EPROTOCOL" }, "EPROTOCOL"],
  [{ response: "550 5.1", code: "EENVELOPE" }, "550"],
  [{ originalCode: "ECONNREFUSED", code: "ESOCKET" }, "ECONNREFUSED"],
  [{ code: "ESOCKET" }, "ESOCKET"],
  [{ name: "AbortError" }, "AbortError"],
])("from %j only '%s' is reported", (fields, error) => {
  expect(outcomeOf(failure(fields), unsent)).toMatchObject({ error });
});

const localHosts = ["localhost", "mail.localhost", "127.0.0.1", "127.1.2.3", "[::1]"];
const remoteHosts = ["mail.example", "localhost.example", "notlocalhost", "127.0.0.1.example", "x127.0.0.1", "[::2]"];

test.each([...localHosts, ...remoteHosts])("only this machine may sign its own certificate: %s", (host) => {
  const { tls } = smtpOptions(`smtp://${host}`, "https://apply.example");
  expect(tls).toEqual(localHosts.includes(host) ? { rejectUnauthorized: false } : undefined);
});

test("the name in the SMTP greeting can be set", () => {
  expect(smtpOptions("smtp://mail.example", "https://apply.example")).toMatchObject({ name: "apply.example" });
  expect(smtpOptions("smtp://mail.example?name=relay.example", "https://apply.example")).not.toHaveProperty("name");
});

describe("With a mail server", () => {
  let server: MailServer;
  beforeEach(async () => {
    server = await startMailServer();
  });
  afterEach(async () => {
    closeEmail();
    await server.stop();
  });
  const email = () => ({
    id: randomUUID(),
    to: "ada@example.com",
    subject: "News",
    text: "Hello",
    html: "<p>Hello</p>",
  });

  test.each([
    ["loans@banksia.example", { name: "", address: "loans@banksia.example" }],
    ["Banksia <loans@banksia.example>", { name: "Banksia", address: "loans@banksia.example" }],
    ['"Banksia" <loans@banksia.example>', { name: "Banksia", address: "loans@banksia.example" }],
    ['The "old" bank <loans@banksia.example>', { name: 'The "old" bank', address: "loans@banksia.example" }],
    [
      '"Old" and "new" bank <loans@banksia.example>',
      { name: '"Old" and "new" bank', address: "loans@banksia.example" },
    ],
  ])("the sender %s is written as %j", async (MAIL_FROM, from) => {
    const mailer = openMailer(readSettings({ SMTP_URL: server.url, MAIL_FROM }));
    expect(await mailer.send(email())).toEqual({ state: "sent" });
    mailer.close();
    expect((await server.read()).from).toEqual(from);
  });

  test("an email has no Reply-To and no X-Mailer", async () => {
    const mailer = openMailer(readSettings({ SMTP_URL: server.url }));
    await mailer.send(email());
    mailer.close();
    const { replyTo, headers } = await server.read();
    expect(replyTo).toBeUndefined();
    expect(headers.map(({ key }) => key)).not.toContain("x-mailer");
  });

  test("emails that follow one another share a connection, until it is closed", async () => {
    replaceSettings(readSettings({ SMTP_URL: server.url }));
    expect(openEmail()).toBe(openEmail());
    for (let count = 0; count < 3; count += 1) expect(await sendEmail(email())).toEqual({ state: "sent" });
    expect([server.raw.length, server.sessions()]).toEqual([3, 1]);
    closeEmail();
    closeEmail();
    await sendEmail(email());
    expect([server.raw.length, server.sessions()]).toEqual([4, 2]);
  });
});

test("without SMTP_URL nothing is opened", () => {
  expect(() => openMailer(readSettings({}))).toThrow("SMTP_URL is not set");
});
