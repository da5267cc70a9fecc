import { setTimeout as sleep } from "node:timers/promises";
import { freshDatabase } from "@/__tests__/support/database";
import { lines } from "@/__tests__/support/log-lines";
import { type MailServer, startMailServer } from "@/__tests__/support/mail-server";
import { startWorker } from "@/lib/server/messages/worker";

process.env.LOG_LEVEL = "info";
const { sql, appUrl } = freshDatabase();

jest.mock("pino", () => require("@/__tests__/support/log-lines").pinoMock);

let server: MailServer;
beforeAll(async () => {
  server = await startMailServer();
  Object.assign(process.env, { SMTP_URL: server.url, SANDBOX_RECIPIENTS: "*" });
});
afterAll(() => server.stop());

test("if the database fails on one message, the others of its batch are logged, and it is due again", async () => {
  await sql(`CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN RAISE EXCEPTION 'refused' USING ERRCODE = '53100'; END $$`);
  await sql(`CREATE TRIGGER refuse BEFORE UPDATE ON messages FOR EACH ROW
    WHEN (NEW.state = 'sent' AND NEW.recipient = '2@mail.example') EXECUTE FUNCTION refuse()`);
  await sql(`INSERT INTO messages (kind, channel, recipient, by)
    SELECT 'test', 'email', n || '@mail.example', 'Vera' FROM generate_series(1, 4) n`);
  lines.length = 0;
  const worker = startWorker(appUrl, { spacingMs: 100 });
  while (lines.length < 4) await sleep(50);
  await worker.stop();
  const attempts = lines.map((line) => JSON.parse(line)).map(({ kind, outcome }) => `${kind} ${outcome}`);
  expect(attempts.toSorted()).toEqual(["test sent", "test sent", "test sent", "test undefined"]);
  expect(await sql(`SELECT recipient, state FROM messages WHERE state <> 'sent' AND "dueAt" > now()`)).toEqual([
    { recipient: "2@mail.example", state: "sending" },
  ]);
});
