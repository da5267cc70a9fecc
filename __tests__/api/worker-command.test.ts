import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { callCommand } from "@/__tests__/support/call-command";
import { freshDatabase } from "@/__tests__/support/database";
import { startReceiver } from "@/__tests__/support/receiver";
import { withDatabase } from "@/lib/cli/with-database";
import { currentSettings } from "@/lib/server/settings";

jest.mock("@/lib/cli/with-database");

const { appUrl, sql } = freshDatabase();

test.each(["SIGTERM", "SIGINT"] as const)(
  "a second %s does not interrupt the message that is being sent",
  async (signal) => {
    const receiver = await startReceiver();
    const received = receiver.nextRequest();
    receiver.respondWith((response) => setTimeout(() => response.writeHead(204).end(), 1500));
    await sql("DELETE FROM message_attempts; DELETE FROM messages");
    await sql("INSERT INTO messages (kind, channel) VALUES ('link.opened', 'webhook')");
    const WEBHOOK_SECRET = `whsec_${Buffer.alloc(24).toString("base64")}`;
    const env = { ...process.env, DATABASE_URL: appUrl, WEBHOOK_URL: receiver.url, WEBHOOK_SECRET };
    const args = ["--conditions=react-server", "--require", "tsx/cjs", "lib/cli/worker.ts"];
    const worker = spawn(process.execPath, args, { env, stdio: "ignore" });
    const ended = once(worker, "exit");
    try {
      await received;
      // A terminal signals npm and the worker, and npm signals the worker again.
      worker.kill(signal);
      await sleep(200);
      worker.kill(signal);
      expect(await ended).toEqual([0, null]);
      expect(await sql("SELECT state FROM messages")).toEqual([{ state: "sent" }]);
    } finally {
      worker.kill("SIGKILL");
      await receiver.stop();
    }
  },
);

test.each([
  ["worker", [], "the app's time limit", 1500],
  ["messages", ["list"], "a longer one, because a statement may concern many rows", 30_000],
])("%s %j has %s for the database", async (name, args, _, limit) => {
  let found = 0;
  jest.mocked(withDatabase).mockImplementation(async () => {
    found = currentSettings().DATABASE_TIMEOUT_MS;
  });
  await callCommand(name, args, { DATABASE_URL: appUrl, DATABASE_TIMEOUT_MS: "" });
  expect(found).toBe(limit);
});
