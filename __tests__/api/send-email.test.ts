import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { selfSigned } from "@/__tests__/promises/support/certificate";
import { type MailServer, refusal, startMailServer } from "@/__tests__/support/mail-server";
import { failed, later, uncounted, unknown } from "@/__tests__/support/outcomes";
import { type Email, type Mailer, openMailer } from "@/lib/server/messages/email/send-email";
import { smtpOptions } from "@/lib/server/messages/email/transport";
import { readSettings } from "@/lib/server/settings";

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

const stop = `https://apply.example/api/messages/stop?code=${"x".repeat(30)}`;

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
    "list-unsubscribe": `<${stop}>`,
    "list-unsubscribe-post": "List-Unsubscribe=One-Click",
  });
  expect(Math.abs(Date.parse(read.date ?? "") - Date.now())).toBeLessThan(10_000);
});

test("an email that cannot be stopped has no List-Unsubscribe header", async () => {
  const server = await mailServer();
  await mailerTo(server.url).send(email());
  expect((await server.read()).headers.filter(({ key }) => key.startsWith("list-"))).toEqual([]);
});

test("MAIL_FROM is one sender, even with a comma in the name, and replies go to MAIL_REPLY_TO", async () => {
  const server = await mailServer();
  const settings = {
    MAIL_FROM: '"Banksia, Lending" <loans@mail.banksia.example>',
    MAIL_REPLY_TO: "help@banksia.example",
  };
  const sent = email();
  await mailerTo(server.url, settings).send(sent);
  expect(await server.read()).toMatchObject({
    from: { name: "Banksia, Lending", address: "loans@mail.banksia.example" },
    replyTo: [{ address: "help@banksia.example" }],
    messageId: `<${sent.id}@mail.banksia.example>`,
  });
});

test("two addresses in place of one reach no one", async () => {
  const server = await mailServer();
  const { state } = await mailerTo(server.url).send(email({ to: "ada@example.com, eve@example.com" }));
  expect(state).not.toBe("sent");
  expect(server.envelopes).toEqual([]);
});

type Options = Parameters<typeof startMailServer>[0];
/** Servers that refuse the recipient or the text. */
const refusesRecipient = (code: number, text: string): Options => ({
  onRcptTo: (_, __, answer) => answer(refusal(code, text)),
});
const refusesText = (code: number, text: string): Options => ({
  onData: (stream, _, answer) => stream.resume().on("end", () => answer(refusal(code, text))),
});

test.each<[string, Options, object]>([
  [
    "a recipient that does not exist",
    refusesRecipient(550, "5.1.1 <ada@example.com> is unknown"),
    { ...failed("550 5.1.1"), isDeadAddress: true },
  ],
  [
    "a sender that is refused where its recipient is named",
    refusesRecipient(550, "5.1.0 <loans@lender.example>: Sender address rejected: User unknown"),
    failed("550 5.1.0"),
  ],
  ["greylisting", refusesRecipient(451, "4.7.1 Greylisted, come back later"), later("451 4.7.1")],
  [
    "a server that shuts down while it is asked for the recipient",
    refusesRecipient(421, "4.3.2 Shutting down"),
    uncounted("421 4.3.2"),
  ],
  [
    "a sender that may not write",
    { onMailFrom: (_, __, answer) => answer(refusal(550, "5.7.60 Not allowed to send as this sender")) },
    uncounted("550 5.7.60"),
  ],
  ["a text that counts as spam", refusesText(554, "5.7.1 Spam"), failed("554 5.7.1")],
  ["a full disk, reported after the text", refusesText(452, "4.3.1 No space"), later("452 4.3.1")],
  ["a message that is too large", { size: 100, rejectOversized: true }, failed("552")],
  [
    "too many connections",
    { onConnect: (_, answer) => answer(refusal(421, "4.7.0 Too many connections")) },
    uncounted(expect.stringMatching(/^421/)),
  ],
])("%s", async (_, options, outcome) => {
  const server = await mailServer(options);
  expect(await mailerTo(server.url).send(email())).toEqual(outcome);
});

test.each<[string, Options, object]>([
  ["after the text", { onData: (stream) => void stream.resume() }, unknown("ETIMEDOUT")],
  ["before it", { onMailFrom: () => {} }, uncounted("ETIMEDOUT")],
])("a server that is silent %s", async (_, options, outcome) => {
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
    onAuth: (_, __, answer) => answer(refusal(535, "5.7.8 Wrong password for lender")),
  });
  const url = server.url.replace("//", "//lender:secret@");
  expect(await mailerTo(url).send(email())).toEqual(uncounted("535 5.7.8"));
});

test("a password may contain any character, percent-encoded", async () => {
  const logins: unknown[] = [];
  const server = await mailServer({
    authOptional: false,
    onAuth({ username, password }, _, answer) {
      logins.push([username, password]);
      answer(null, { user: username });
    },
  });
  const url = server.url.replace("//", "//lender%40banksia.example:p%2Fw%3A%40%20+@");
  expect(await mailerTo(url).send(email())).toEqual({ state: "sent" });
  expect(logins).toEqual([["lender@banksia.example", "p/w:@ +"]]);
});

test.each([
  ["smtp://mail.example", false],
  ["smtp://lender:secret@mail.example:587", true],
  ["smtp://lender:secret@mail.example:587?ignoreTLS=true", false],
  ["smtp://lender:secret@127.0.0.1:2525", false],
])("a password goes out encrypted, unless to this machine or on request: %s", (url, requireTLS) => {
  expect(smtpOptions(url, "https://apply.example")).toMatchObject({ requireTLS, name: "apply.example" });
});

test("a password is not sent to a server that has no encryption", async () => {
  const server = await mailServer();
  const url = `smtp://lender:secret@127.0.0.1:${server.port}?requireTLS=true`;
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
  expect(await mailerTo("smtp://mail.invalid", {}, hasty).send(email())).toMatchObject({
    state: "later",
    isUncounted: true,
  });
});

test("an email waits if the connection breaks before its text, and is unknown if it breaks after it", async () => {
  const before: MailServer = await mailServer({ onMailFrom: () => before.cut() });
  expect(await mailerTo(before.url).send(email())).toEqual(uncounted("ECONNECTION"));
  const after: MailServer = await mailServer({ onData: (stream) => stream.resume().on("end", () => after.cut()) });
  expect(await mailerTo(after.url).send(email())).toEqual(unknown("ECONNECTION"));
});

test("a server that never finishes its answer is abandoned before another worker claims the message", async () => {
  const trickling = createServer((socket) => {
    socket.write("220 ready\r\n");
    socket.on("error", () => {});
    socket.on("data", () => {
      const drop = setInterval(() => socket.write("250-still at it\r\n"), 50);
      socket.on("close", () => clearInterval(drop));
    });
  }).listen(0, "127.0.0.1");
  opened.push(trickling);
  await once(trickling, "listening");
  const url = `smtp://127.0.0.1:${(trickling.address() as AddressInfo).port}`;
  // Each line restarts the limit on silence, so only the limit on the whole session ends it.
  expect(await mailerTo(url, {}, hasty).send(email())).toEqual(uncounted("EABORT"));
});

test("the Message-ID that a server assigned is stored as delivery reports name it", async () => {
  const server = await mailServer({
    onData: (stream, _, callback) =>
      stream.resume().on("end", () => callback(null, "2.0.0 OK <AB1@AUS.prod.outlook.com> [Hostname=AUS]")),
  });
  const outcome = await mailerTo(server.url).send(email());
  expect(outcome).toEqual({ state: "sent", providerId: "AB1@AUS.prod.outlook.com" });
});

test("a server whose answer never ends is disconnected after 64 kB", async () => {
  const talking = createServer((socket) => {
    socket.write("220 ready\r\n");
    socket.on("error", () => {});
    socket.once("data", () => socket.write(`250-${"x".repeat(70_000)}`));
  }).listen(0, "127.0.0.1");
  opened.push(talking);
  await once(talking, "listening");
  const url = `smtp://127.0.0.1:${(talking.address() as AddressInfo).port}`;
  expect(await mailerTo(url).send(email())).toEqual(uncounted("EPROTOCOL"));
});

test("a batch uses at most three connections, and a connection that the server has closed is reopened", async () => {
  const server = await mailServer();
  const mailer = mailerTo(server.url);
  const batch = () => Promise.all(Array.from({ length: 20 }, () => mailer.send(email())));
  expect(new Set((await batch()).map(({ state }) => state))).toEqual(new Set(["sent"]));
  expect(server.sessions()).toBeLessThanOrEqual(3);
  server.cut();
  expect(new Set((await batch()).map(({ state }) => state))).toEqual(new Set(["sent"]));
  expect(
    new Set(await Promise.all(server.raw.map((_, n) => server.read(n).then(({ messageId }) => messageId)))).size,
  ).toBe(40);
});

test("the rest of a batch waits if its server has stalled", async () => {
  const server = await mailServer({ onData: (stream) => void stream.resume() });
  const mailer = mailerTo(server.url, {}, { connectMs: 3000, beginMs: 3000, silenceMs: 5000, wholeMs: 10_000 });
  const outcomes = await Promise.all(Array.from({ length: 10 }, () => mailer.send(email())));
  const count = (state: string) => outcomes.filter((outcome) => outcome.state === state).length;
  expect([count("unknown"), count("later")]).toEqual([3, 7]);
});
