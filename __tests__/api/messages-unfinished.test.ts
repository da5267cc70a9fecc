import { setTimeout as sleep } from "node:timers/promises";
import { freshDatabase } from "@/__tests__/support/database";
import { lines } from "@/__tests__/support/log-lines";
import { ownMailServer } from "@/__tests__/support/providers";
import { startWorker } from "@/lib/server/messages/worker";

process.env.LOG_LEVEL = "info";
const { sql, appUrl } = freshDatabase();

jest.mock("pino", () => require("@/__tests__/support/log-lines").pinoMock);

const server = ownMailServer();

test("an outcome that the database cannot take at first is recorded later, and nothing is sent again", async () => {
  await sql(`CREATE SEQUENCE refusals; GRANT USAGE ON SEQUENCE refusals TO PUBLIC`);
  await sql(`CREATE FUNCTION refuse_twice() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF nextval('refusals') <= 2 THEN RAISE EXCEPTION 'disk full' USING ERRCODE = '53100'; END IF;
      RETURN NEW;
    END $$`);
  await sql(`CREATE TRIGGER refuse_twice BEFORE UPDATE ON messages FOR EACH ROW
    WHEN (NEW.state = 'sent') EXECUTE FUNCTION refuse_twice()`);
  await sql(`INSERT INTO messages (kind, channel, recipient) VALUES ('test', 'email', 'a@mail.example')`);
  lines.length = 0;
  const worker = startWorker(appUrl, { spacingMs: 0 });
  while (lines.length < 1) await sleep(50);
  await worker.stop();
  expect(lines.map((line) => JSON.parse(line).outcome)).toEqual(["sent"]);
  expect(await sql("SELECT state, attempts FROM messages")).toEqual([{ state: "sent", attempts: 1 }]);
  expect(server.raw).toHaveLength(1);
  await sql("DROP TRIGGER refuse_twice ON messages; DELETE FROM message_attempts; DELETE FROM messages");
});

test("if the database fails on one message, the others of its batch are logged, and it is due again", async () => {
  await sql(`CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN RAISE EXCEPTION 'refused' USING ERRCODE = '23514'; END $$`);
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
