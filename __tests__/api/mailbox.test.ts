import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { request } from "node:http";
import { connect } from "node:net";
import { defaultBrand } from "@/lib/brand";
import { type Mailbox, openMailbox } from "@/lib/cli/mailbox/mailbox";
import type { Received } from "@/lib/cli/mailbox/received";
import { signatures } from "@/lib/server/messages/webhooks/signatures";
import { readSettings } from "@/lib/server/settings";

let mailbox: Mailbox;
beforeAll(async () => {
  mailbox = await openMailbox(defaultBrand);
});
afterAll(() => mailbox.close());

const received = async (): Promise<Received[]> => (await fetch(`${mailbox.url}/messages.json`)).json();
const page = async () => (await fetch(mailbox.url)).text();
const newest = async () => (await received())[0];

/** What a mail program says, line by line, each after the answer to the one before. */
async function say(lines: string[]): Promise<string[]> {
  const socket = connect(Number(new URL(mailbox.settings.SMTP_URL ?? "").port), "127.0.0.1").setEncoding("utf8");
  const answers: string[] = [];
  for (const line of ["", ...lines]) {
    if (line) socket.write(`${line}\r\n`);
    const [answer] = await once(socket, "data");
    answers.push(String(answer).slice(0, 3));
  }
  socket.destroy();
  return answers;
}

const letter = (html: string) =>
  [
    "From: Wattle Lane <help@wattlelane.example>",
    "To: somebody else <other@example.com>",
    "Subject: =?utf-8?q?Your_advance=2C_Zo=C3=AB?=",
    "MIME-Version: 1.0",
    'Content-Type: multipart/alternative; boundary="b"',
    "",
    "--b",
    "Content-Type: text/plain; charset=utf-8",
    "",
    "Open http://localhost:3000/?token=abc&source=ba.",
    "--b",
    "Content-Type: text/html; charset=utf-8",
    "",
    html,
    "--b--",
    ".",
  ].join("\r\n");

const send = (html: string) =>
  say(["EHLO me", "MAIL FROM:<help@wattlelane.example>", "RCPT TO:<zoe@example.com>", "DATA", letter(html), "QUIT"]);

test("its settings are settings of the app", () => {
  const { email, sms, webhook, staff, sandbox } = readSettings(mailbox.settings).sending;
  expect([email, sms, webhook].every(Boolean)).toBe(true);
  expect([staff, sandbox]).toEqual([["staff@wattlelane.example"], ["*"]]);
});

test("an email is kept with whom it really went to", async () => {
  expect(await send("<p>Hello</p>")).toEqual(["220", "250", "250", "250", "354", "250", "221"]);
  expect(await newest()).toMatchObject({
    channel: "email",
    from: "Wattle Lane <help@wattlelane.example>",
    to: ["zoe@example.com"],
    subject: "Your advance, Zoë",
    text: expect.stringContaining("token=abc"),
    html: expect.stringContaining("<p>Hello</p>"),
    headers: expect.arrayContaining([{ name: "To", value: "somebody else <other@example.com>" }]),
  });
});

test("the page links the addresses in a text, without the full stop of its sentence", async () => {
  expect(await page()).toContain('<a href="http://localhost:3000/?token=abc&amp;source=ba" target="_blank"');
});

test("an email's own markup stays in its frame, where no script runs", async () => {
  await send(`<script>alert(1)</script><img src=x onerror="alert(2)"></iframe>'"`);
  const shown = await page();
  expect(shown.match(/<script/g)).toHaveLength(1);
  expect(shown).toContain('<iframe sandbox="allow-popups allow-popups-to-escape-sandbox"');
  expect(shown).toContain(
    "&lt;script&gt;alert(1)&lt;/script&gt;&lt;img src=x onerror=&quot;alert(2)&quot;&gt;&lt;/iframe&gt;",
  );
  const policy = (await fetch(mailbox.url)).headers.get("content-security-policy");
  expect(policy).toMatch(/^default-src 'none';.* script-src 'nonce-[\w+/]+=*';/);
});

const sms = (authorization: string, body: unknown) =>
  fetch(mailbox.settings.SMS_URL ?? "", { method: "POST", headers: { authorization }, body: JSON.stringify(body) });

test("an SMS is kept if it comes with the gateway's secret, which nobody is shown", async () => {
  const secret = mailbox.settings.SMS_SECRET ?? "";
  const text = { to: "+61412345678", from: "61491570156", text: "Hello" };
  expect((await sms("guessed", text)).status).toBe(401);
  expect((await sms(secret, { to: 1 })).status).toBe(400);
  expect((await sms(secret, text)).status).toBe(200);
  expect(await newest()).toMatchObject({ channel: "sms", from: "61491570156", to: ["+61412345678"], text: "Hello" });
  expect(JSON.stringify(await received())).not.toContain(secret);
});

const body = '{"type":"link.opened","data":{"reference":"K7QM-4XRT"}}';
const seconds = (ago = 0) => String(Math.floor(Date.now() / 1000) - ago);

async function webhook(sent: string, timestamp = seconds(), secret = mailbox.settings.WEBHOOK_SECRET ?? "") {
  const id = `msg_${randomUUID()}`;
  const headers = { "webhook-id": id, "webhook-timestamp": timestamp };
  const signature = { "webhook-signature": signatures([secret], { id, timestamp, body }) };
  const { status } = await fetch(mailbox.settings.WEBHOOK_URL ?? "", {
    method: "POST",
    headers: { ...headers, ...signature },
    body: sent,
  });
  return [status, (await newest())?.verified];
}

test("a webhook is taken if its signature and time are right, and shown as not verified otherwise", async () => {
  expect(await webhook(body)).toEqual([204, true]);
  expect(await newest()).toMatchObject({ channel: "webhook", subject: "link.opened", to: ["/webhooks"] });
  expect(await page()).toContain("Signature verified");
  expect(await webhook(body.replace("K7QM", "K7QN"))).toEqual([401, false]);
  expect(await webhook(body, seconds(600))).toEqual([401, false]);
  expect(await webhook(body, seconds(), `whsec_${"a".repeat(32)}`)).toEqual([401, false]);
  expect(await page()).toContain("Signature not verified");
});

test("what is new since a message is told apart", async () => {
  const { number = 0 } = (await newest()) ?? {};
  const since = async () => (await fetch(`${mailbox.url}/since?number=${number}`)).text();
  expect(await since()).toBe("");
  await webhook(body);
  expect(await since()).toContain(`<li id="m${number + 1}">`);
});

test("it is served under its own address alone: a name that somebody makes resolve to 127.0.0.1 is refused", async () => {
  const asked = request(`${mailbox.url}/messages.json`, { headers: { host: "evil.example" } }).end();
  const [answer] = await once(asked, "response");
  answer.resume();
  expect(answer.statusCode).toBe(403);
  expect((await fetch(`${mailbox.url}/nothing`)).status).toBe(404);
});

test("the oldest of more than 300 messages are forgotten", async () => {
  await Promise.all(Array.from({ length: 310 }, () => webhook(body)));
  expect(await received()).toHaveLength(300);
});
