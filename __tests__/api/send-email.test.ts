import { generateKeyPairSync, type KeyObject, randomUUID } from "node:crypto";
import { rmSync, writeFileSync } from "node:fs";
import type { Socket } from "node:net";
import { join } from "node:path";
import type { NodemailerError } from "nodemailer";
import { selfSigned } from "@/__tests__/lab/promises/support/certificate";
import { type MailServer, refusal, startMailServer } from "@/__tests__/support/mail-server";
import { failed, later, uncounted, unknown } from "@/__tests__/support/outcomes";
import { startTcpServer } from "@/__tests__/support/tcp-server";
import { temporaryFolder } from "@/__tests__/support/temporary-folder";
import { until } from "@/__tests__/support/until";
import {
  closeEmail,
  type Email,
  type Mailer,
  openEmail,
  openMailer,
  outcomeOf,
  sendEmail,
} from "@/lib/server/channels/email/send-email";
import { smtpOptions } from "@/lib/server/channels/email/transport";
import { readSettings, replaceSettings, SettingsError } from "@/lib/server/settings";

/** Generous limits, since a busy machine is slow. */
const patient = { connectMs: 20_000, silenceMs: 20_000, beginMs: 40_000, wholeMs: 50_000 };
const hasty = { connectMs: 1500, silenceMs: 1500, beginMs: 4000, wholeMs: 5000 };
const opened: { close(): unknown }[] = [];

afterEach(async () => {
  await Promise.all(opened.splice(0).map((resource) => resource.close()));
});

async function mailServer(options?: Parameters<typeof startMailServer>[0]): Promise<MailServer> {
  const server = await startMailServer(options);
  opened.push({ close: server.stop });
  return server;
}

/** Starts a mail server that greets each client, and does the rest by this function. Returns its URL. */
async function rawMailServer(serve: (client: Socket) => void): Promise<string> {
  const { port, stop } = await startTcpServer((client) => {
    client.write("220 ready\r\n");
    serve(client);
  });
  opened.push({ close: stop });
  return `smtp://127.0.0.1:${port}`;
}

function mailerTo(url: string, settings: Record<string, string> = {}, limits = patient): Mailer {
  const mailer = openMailer(readSettings({ SMTP_URL: url, ...settings }), limits);
  opened.unshift(mailer);
  return mailer;
}

const email = (own: Partial<Email> = {}): Email => ({
  id: randomUUID(),
  to: "ada@example.com",
  subject: "Your invitation",
  text: "Hello Zoë",
  html: "<p>Hello Zoë</p>",
  ...own,
});

const stop = `https://apply.example/stop?code=${"x".repeat(30)}`;

test("an email arrives as text and as HTML, from the lender's support address", async () => {
  const server = await mailServer();
  const sent = email({ id: "0b7e7a3e-1f7b-4a5e-9a52-0a4f8f0a8f11", stop });
  expect(await mailerTo(server.url).send(sent)).toEqual({ state: "sent" });
  const read = await server.read();
  expect(read).toMatchObject({
    from: { name: "Wattle Lane", address: "help@wattlelane.example" },
    to: [{ name: "", address: "ada@example.com" }],
    subject: "Your invitation",
    messageId: "<0b7e7a3e-1f7b-4a5e-9a52-0a4f8f0a8f11@wattlelane.example>",
  });
  expect([read.text?.trim(), read.html?.trim()]).toEqual(["Hello Zoë", "<p>Hello Zoë</p>"]);
  expect(Object.fromEntries(read.headers.map(({ key, value }) => [key, value]))).toMatchObject({
    "auto-submitted": "auto-generated",
    "list-unsubscribe": `<https://apply.example/api/messages/stop?code=${"x".repeat(30)}>`,
    "list-unsubscribe-post": "List-Unsubscribe=One-Click",
  });
  expect(Math.abs(Date.parse(read.date ?? "") - Date.now())).toBeLessThan(10_000);
  expect([read.replyTo, read.headers.filter(({ key }) => key === "x-mailer")]).toEqual([undefined, []]);
});

test("an email without an opt-out address has no List-Unsubscribe header", async () => {
  const server = await mailServer();
  await mailerTo(server.url).send(email());
  expect((await server.read()).headers.filter(({ key }) => key.startsWith("list-"))).toEqual([]);
});

test.each([
  ["loans@banksia.example", ""],
  ["Banksia <loans@banksia.example>", "Banksia"],
  ['"Banksia, Lending" <loans@banksia.example>', "Banksia, Lending"],
  ['The "old" bank <loans@banksia.example>', 'The "old" bank'],
  ['"Old" and "new" bank <loans@banksia.example>', '"Old" and "new" bank'],
])("MAIL_FROM=%s is one sender, named %j, and replies go to MAIL_REPLY_TO", async (MAIL_FROM, name) => {
  const server = await mailServer();
  const sent = email();
  await mailerTo(server.url, { MAIL_FROM, MAIL_REPLY_TO: "help@banksia.example" }).send(sent);
  expect(await server.read()).toMatchObject({
    from: { name, address: "loans@banksia.example" },
    replyTo: [{ address: "help@banksia.example" }],
    messageId: `<${sent.id}@banksia.example>`,
  });
});

const keyFile = join(temporaryFolder(), "key.pem");
/** Settings that sign with this private key. */
function signedWith(privateKey: KeyObject): Record<string, string> {
  writeFileSync(keyFile, privateKey.export({ type: "pkcs8", format: "pem" }));
  return { DKIM_DOMAIN: "wattlelane.example", DKIM_SELECTOR: "apply", DKIM_KEY_FILE: keyFile };
}

test("a DKIM signature covers the headers that let a mail program unsubscribe", async () => {
  const server = await mailServer();
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  expect(await mailerTo(server.url, signedWith(privateKey)).send(email({ stop }))).toEqual({ state: "sent" });
  const signature = (await server.read()).headers.find(({ key }) => key === "dkim-signature")?.value ?? "";
  expect(signature).toMatch(/d=wattlelane\.example;.*s=apply;/s);
  const covered = /;h=([^;]+)/.exec(signature.replace(/\s/g, ""))?.[1]?.toLowerCase().split(":");
  expect(covered).toEqual(expect.arrayContaining(["from", "message-id", "list-unsubscribe", "list-unsubscribe-post"]));
});

test("a key that cannot sign is reported at the start, without its content", () => {
  const { privateKey } = generateKeyPairSync("ed25519");
  const settings = readSettings({ SMTP_URL: "smtp://x", ...signedWith(privateKey) });
  const open = () => openMailer(settings);
  expect(open).toThrow(new SettingsError("Invalid settings:\nDKIM_KEY_FILE: is not an RSA key"));
  const unreadable = /DKIM_KEY_FILE: cannot be read as a private key \((ERR_OSSL_UNSUPPORTED|ENOENT)\)/;
  writeFileSync(keyFile, "no key");
  expect(open).toThrow(unreadable);
  rmSync(keyFile);
  expect(open).toThrow(unreadable);
});

test("two addresses in place of one reach no one", async () => {
  const server = await mailServer();
  const { state } = await mailerTo(server.url).send(email({ to: "ada@example.com, eve@example.com" }));
  expect(state).not.toBe("sent");
  expect(server.envelopes).toEqual([]);
});

const failure = (fields: Partial<NodemailerError>) => Object.assign(new Error("about ada@example.com"), fields);
const [sent, unsent] = [true, false];
const rcpt = (responseCode: number, response?: string) => ({ command: "RCPT TO", responseCode, response });
const full = rcpt(552, "552-5.2.2 Mailbox full, the user does not exist to us");

test.each<[string, Partial<NodemailerError>, boolean, object]>([
  ["an unknown recipient", rcpt(550, "550 No such user here"), unsent, { ...failed("550"), isDeadAddress: true }],
  ["a full mailbox", full, unsent, failed("552 5.2.2")],
  ["a bare refusal", rcpt(500), unsent, failed("Error")],
  ["greylisting", rcpt(499), unsent, later("Error")],
  ["a server that shuts down", { command: "DATA", responseCode: 421 }, sent, uncounted("Error")],
  ["commands out of sequence", rcpt(503), unsent, uncounted("Error")],
  ["a missing login", rcpt(530), unsent, uncounted("Error")],
  ["no recipient", { code: "EENVELOPE" }, unsent, failed("EENVELOPE")],
  ["a text that is too large", { code: "EMESSAGE" }, unsent, failed("EMESSAGE")],
])("a reply without a status decides the outcome: %s", (_, fields, isBegun, outcome) => {
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
])("the error %j is reported as '%s' and no more", (fields, error) => {
  expect(outcomeOf(failure(fields), unsent)).toMatchObject({ error });
});

type Options = Parameters<typeof startMailServer>[0];
/** Servers that refuse the recipient or the text. */
const refusesRecipient = (code: number, text: string): Options => ({
  onRcptTo: (_, __, callback) => callback(refusal(code, text)),
});
const refusesText = (code: number, text: string): Options => ({
  onData: (stream, _, callback) => stream.resume().on("end", () => callback(refusal(code, text))),
});

const refusesSender: Options = {
  onMailFrom: (_, __, callback) => callback(refusal(550, "5.7.60 Not allowed to send as this sender")),
};
const refusesConnections: Options = {
  onConnect: (_, callback) => callback(refusal(421, "4.7.0 Too many connections")),
};
const noRecipient = refusesRecipient(550, "5.1.1 <ada@example.com> is unknown");
const noSender = refusesRecipient(550, "5.1.0 <loans@lender.example>: Sender address rejected: User unknown");

test.each<[string, Options, object]>([
  ["a recipient that does not exist", noRecipient, { ...failed("550 5.1.1"), isDeadAddress: true }],
  ["a sender that is refused where its recipient is named", noSender, failed("550 5.1.0")],
  ["greylisting", refusesRecipient(451, "4.7.1 Greylisted, come back later"), later("451 4.7.1")],
  ["a server that then shuts down", refusesRecipient(421, "4.3.2 Shutting down"), uncounted("421 4.3.2")],
  ["a sender that may not write", refusesSender, uncounted("550 5.7.60")],
  ["a text that counts as spam", refusesText(554, "5.7.1 Spam"), failed("554 5.7.1")],
  ["a full disk, reported after the text", refusesText(452, "4.3.1 No space"), later("452 4.3.1")],
  ["a message that is too large", { size: 100, rejectOversized: true }, failed("552")],
  ["too many connections", refusesConnections, uncounted(expect.stringMatching(/^421/))],
])("a server's refusal decides the outcome: %s", async (_, options, outcome) => {
  const server = await mailServer(options);
  expect(await mailerTo(server.url).send(email())).toEqual(outcome);
});

test.each<[string, Options, object]>([
  ["after the text", { onData: (stream) => void stream.resume() }, unknown("ETIMEDOUT")],
  ["before it", { onMailFrom: () => {} }, uncounted("ETIMEDOUT")],
])("an attempt ends if the server is silent %s", async (_, options, outcome) => {
  const server = await mailServer(options);
  expect(await mailerTo(server.url, {}, hasty).send(email())).toEqual(outcome);
});

test("an email is cut off when its claim ends, because another worker may send it then", async () => {
  const server = await mailServer({ onData: (stream) => void stream.resume() });
  const mailer = mailerTo(server.url);
  const startedAt = performance.now();
  expect(await mailer.send(email(), 1500)).toMatchObject({ state: "unknown" });
  expect(performance.now() - startedAt).toBeLessThan(patient.silenceMs);
});

test("a refused login delays every email, and the error contains no password", async () => {
  const server = await mailServer({
    authOptional: false,
    onAuth: (_, __, callback) => callback(refusal(535, "5.7.8 Wrong password for lender")),
  });
  const url = server.url.replace("//", "//lender:secret@");
  expect(await mailerTo(url).send(email())).toEqual(uncounted("535 5.7.8"));
});

test("a password may contain any character, percent-encoded", async () => {
  const logins: unknown[] = [];
  const server = await mailServer({
    authOptional: false,
    onAuth({ username, password }, _, callback) {
      logins.push([username, password]);
      callback(null, { user: username });
    },
  });
  const url = server.url.replace("//", "//lender%40banksia.example:p%2Fw%3A%40%20+@");
  expect(await mailerTo(url).send(email())).toEqual({ state: "sent" });
  expect(logins).toEqual([["lender@banksia.example", "p/w:@ +"]]);
});

test.each([
  ["smtp://mail.example", false],
  ["smtp://lender:secret@mail.example:587", true],
  ["smtp://lender:secret@127.0.0.1:2525", false],
])("a password goes out encrypted, unless to this machine: %s", (url, requireTLS) => {
  expect(smtpOptions(url, "https://apply.example")).toMatchObject({ requireTLS, name: "apply.example" });
});

test("the name in the SMTP greeting can be set", () => {
  expect(smtpOptions("smtp://mail.example?name=relay.example", "https://apply.example")).not.toHaveProperty("name");
});

const localHosts = ["localhost", "mail.localhost", "127.0.0.1", "127.1.2.3", "[::1]"];
const remoteHosts = ["mail.example", "localhost.example", "notlocalhost", "127.0.0.1.example", "x127.0.0.1", "[::2]"];

test.each([...localHosts, ...remoteHosts])("only this machine may sign its own certificate: %s", (host) => {
  const { tls } = smtpOptions(`smtp://${host}`, "https://apply.example");
  expect(tls).toEqual(localHosts.includes(host) ? { rejectUnauthorized: false } : undefined);
});

const tlsOptions = ["", "&ignoreTLS=true", "&opportunisticTLS=true"];

test.each(tlsOptions)("a password is not sent to a server that has no encryption, also with '%s'", async (option) => {
  const server = await mailServer();
  const url = `smtp://lender:secret@127.0.0.1:${server.port}?requireTLS=true${option}`;
  expect(await mailerTo(url).send(email())).toMatchObject({ state: "later", isUncounted: true });
});

test("a server of this machine may sign its own certificate", async () => {
  const server = await mailServer({ disabledCommands: [], ...selfSigned() });
  expect(await mailerTo(server.url).send(email())).toEqual({ state: "sent" });
});

test("an email waits if its server cannot be reached", async () => {
  const server = await startMailServer();
  await server.stop();
  expect(await mailerTo(server.url).send(email())).toEqual(uncounted("ECONNREFUSED"));
  expect(await mailerTo("smtp://mail.invalid", {}, hasty).send(email())).toEqual(uncounted(expect.any(String)));
});

test("an email waits if the connection breaks before its text, and is unknown if it breaks after it", async () => {
  const before: MailServer = await mailServer({ onMailFrom: () => before.cut() });
  expect(await mailerTo(before.url).send(email())).toEqual(uncounted("ECONNECTION"));
  const after: MailServer = await mailServer({ onData: (stream) => stream.resume().on("end", () => after.cut()) });
  expect(await mailerTo(after.url).send(email())).toEqual(unknown("ECONNECTION"));
});

test("a server that never finishes its reply is abandoned before another worker claims the message", async () => {
  const url = await rawMailServer((client) =>
    client.on("data", () => {
      const drop = setInterval(() => client.write("250-still at it\r\n"), 50);
      client.on("close", () => clearInterval(drop));
    }),
  );
  // Each line restarts the limit on silence, so only the limit on the time before the text ends it.
  expect(await mailerTo(url, {}, { ...hasty, beginMs: 2000 }).send(email())).toEqual(uncounted("EABORT"));
});

test("the Message-ID that a server assigned is stored as delivery reports name it", async () => {
  const server = await mailServer({
    onData: (stream, _, callback) =>
      stream.resume().on("end", () => callback(null, "2.0.0 OK <AB1@AUS.prod.outlook.com> [Hostname=AUS]")),
  });
  const outcome = await mailerTo(server.url).send(email());
  expect(outcome).toEqual({ state: "sent", providerId: "AB1@AUS.prod.outlook.com" });
});

test("a server whose reply never ends is disconnected after 64 kB", async () => {
  const url = await rawMailServer((client) => client.once("data", () => client.write(`250-${"x".repeat(70_000)}`)));
  expect(await mailerTo(url).send(email())).toEqual(uncounted("EPROTOCOL"));
});

const sendMany = (mailer: Mailer, count: number) =>
  Promise.all(Array.from({ length: count }, () => mailer.send(email())));

test("a batch uses at most three connections, and a connection that the server has closed is reopened", async () => {
  const server = await mailServer();
  const mailer = mailerTo(server.url);
  const batch = () => sendMany(mailer, 20);
  expect(await batch()).toEqual(Array(20).fill({ state: "sent" }));
  expect(server.sessions()).toBeLessThanOrEqual(3);
  server.cut();
  expect(await batch()).toEqual(Array(20).fill({ state: "sent" }));
  const received = await Promise.all(server.raw.map((_, n) => server.read(n)));
  expect(new Set(received.map(({ messageId }) => messageId)).size).toBe(40);
});

test("emails that follow one another share a connection, until it is closed", async () => {
  const server = await mailServer();
  replaceSettings(readSettings({ SMTP_URL: server.url }));
  expect(openEmail()).toBe(openEmail());
  for (let count = 0; count < 3; count += 1) expect(await sendEmail(email())).toEqual({ state: "sent" });
  expect([server.raw.length, server.sessions()]).toEqual([3, 1]);
  closeEmail();
  closeEmail();
  await sendEmail(email());
  expect([server.raw.length, server.sessions()]).toEqual([4, 2]);
  closeEmail();
  replaceSettings(readSettings({}));
  expect(openEmail).toThrow("SMTP_URL is not set");
});

test("the rest of a batch waits if its server has stalled", async () => {
  let stalled = 0;
  const server = await mailServer({
    onData(stream) {
      stalled += 1;
      stream.resume();
    },
  });
  const limits = { ...patient };
  const mailer = mailerTo(server.url, {}, limits);
  const begun = sendMany(mailer, 3);
  await until(() => stalled === 3);
  limits.beginMs = 100;
  expect(await sendMany(mailer, 7)).toEqual(Array(7).fill(uncounted("EABORT")));
  server.cut();
  expect(await begun).toEqual(Array(3).fill(unknown("ECONNECTION")));
});
