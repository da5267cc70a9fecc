import { once } from "node:events";
import { request } from "node:http";
import { createTransport } from "nodemailer";
import { runConcurrently } from "@/__tests__/support/processes/run-concurrently";
import { defaultBrand } from "@/lib/brand";
import { type Mailbox, openMailbox } from "@/lib/development/mailbox";
import type { Message } from "@/lib/development/mailbox-page";
import { readSettings } from "@/lib/server/settings";

let mailbox: Mailbox;
beforeAll(async () => {
  mailbox = await openMailbox(defaultBrand);
});
afterAll(() => mailbox.close());

const received = async (): Promise<Message[]> => (await fetch(`${mailbox.url}/messages.json`)).json();
const page = async () => (await fetch(mailbox.url)).text();
const newest = async () => (await received())[0];

/** Sends an email whose To header names somebody other than its recipient. */
const sendEmail = (html: string) =>
  createTransport(mailbox.settings.SMTP_URL).sendMail({
    envelope: { from: "help@wattlelane.example", to: "zoe@example.com" },
    from: "Wattle Lane <help@wattlelane.example>",
    to: "somebody else <other@example.com>",
    subject: "Your advance, Zoë",
    text: "Open http://localhost:3000/?token=abc&source=ba.",
    html,
  });

test("the mailbox's settings are valid settings of the app", () => {
  const { sending, STAFF_EMAILS, SANDBOX_RECIPIENTS } = readSettings(mailbox.settings);
  const { email, sms, webhook } = sending;
  expect([email, sms, webhook].every(Boolean)).toBe(true);
  expect([STAFF_EMAILS, SANDBOX_RECIPIENTS]).toEqual([["staff@wattlelane.example"], ["*"]]);
});

test("an email is stored with its actual recipient", async () => {
  await sendEmail("<p>Hello</p>");
  expect(await newest()).toMatchObject({
    channel: "email",
    from: "Wattle Lane <help@wattlelane.example>",
    to: ["zoe@example.com"],
    subject: "Your advance, Zoë",
    text: expect.stringContaining("token=abc"),
    html: expect.stringContaining("<p>Hello</p>"),
  });
});

test("the page links the addresses in a text, without the full stop of its sentence", async () => {
  expect(await page()).toContain('<a href="http://localhost:3000/?token=abc&#38;source=ba" target="_blank"');
});

test("an email's own markup stays in its frame, where no script runs", async () => {
  await sendEmail(`<script>alert(1)</script><img src=x onerror="alert(2)"></iframe>'"`);
  const html = await page();
  expect(html.match(/<script/g)).toHaveLength(1);
  expect(html).toContain('<iframe sandbox="allow-popups allow-popups-to-escape-sandbox"');
  const image = "&#60;img src=x onerror=&#34;alert(2)&#34;&#62;";
  expect(html).toContain(`&#60;script&#62;alert(1)&#60;/script&#62;${image}&#60;/iframe&#62;`);
});

const send = (url = "", body: unknown) => fetch(url, { method: "POST", body: JSON.stringify(body) });

test("an SMS is kept", async () => {
  const { SMS_URL } = mailbox.settings;
  const sms = { to: "+61412345678", from: "61491570156", text: "Hello" };
  expect((await send(SMS_URL, sms)).status).toBe(200);
  expect(await newest()).toMatchObject({ channel: "sms", from: "61491570156", to: ["+61412345678"], text: "Hello" });
});

const webhook = () => send(mailbox.settings.WEBHOOK_URL, { type: "link.opened", data: { reference: "K7QM-4XRT" } });

test("a webhook is kept, with its type as the subject", async () => {
  expect((await webhook()).status).toBe(204);
  expect(await newest()).toMatchObject({ channel: "webhook", subject: "link.opened", to: ["/webhooks"] });
  expect(await page()).toContain("K7QM-4XRT");
});

test("the page polls for messages newer than the last one", async () => {
  const { number = 0 } = (await newest()) ?? {};
  const since = async () => (await fetch(`${mailbox.url}/since?number=${number}`)).text();
  expect(await since()).toBe("");
  await webhook();
  expect(await since()).toContain(`<li id="m${number + 1}">`);
});

test("a request under another host name is refused with 403, although that name may resolve to 127.0.0.1", async () => {
  const sent = request(`${mailbox.url}/messages.json`, { headers: { host: "evil.example" } }).end();
  const [response] = await once(sent, "response");
  response.resume();
  expect(response.statusCode).toBe(403);
  expect((await fetch(`${mailbox.url}/nothing`)).status).toBe(404);
});

test("only the newest 300 messages are kept", async () => {
  await runConcurrently(310, 20, webhook);
  expect(await received()).toHaveLength(300);
});
