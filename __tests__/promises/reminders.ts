import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startMailServer } from "@/__tests__/support/mail-server";
import { tally } from "@/__tests__/support/processes/figures";
import { runCommand } from "@/__tests__/support/run-command";
import { isOpen } from "@/lib/domain/business-hours";
import { addressHash } from "@/lib/server/messages/outbox/stopped";
import { same } from "./support/expect";
import { openPost, type Post, unsent } from "./support/sending";
import { skewedClock } from "./support/skewed-clock";
import type { Promised } from "./support/world";

const each = 50;
const hourMs = 3_600_000;

/** How many days from now an office in Sydney has been open for an hour or more, and stays so for another. */
function daysToOpening(): number {
  const open = (hours: number) => isOpen(new Date(Date.now() + hours * hourMs), "Australia/Sydney");
  for (let hours = 0; ; hours += 1) if (open(hours - 1) && open(hours) && open(hours + 1)) return hours / 24;
}

const ofBatch = (batch: string) => `"applicationId" IN (SELECT id FROM applications WHERE batch = '${batch}')`;

/** What happened to those of each batch before their reminders are due. */
const ways: Record<string, string> = {
  opened: `UPDATE links SET "openedAt" = now() WHERE ${ofBatch("opened")}`,
  saved: `UPDATE applications SET "landlordSavedAt" = now() WHERE batch = 'saved'`,
  submitted: `UPDATE applications SET status = 'submitted', "submittedAt" = now() WHERE batch = 'submitted'`,
  revoked: `UPDATE links SET "revokedAt" = now() WHERE ${ofBatch("revoked")}`,
  expired: `UPDATE links SET "expiresAt" = now() WHERE ${ofBatch("expired")}`,
  erased: `SELECT erase_applications(ARRAY(SELECT id FROM applications WHERE batch = 'erased'), '')`,
  stopped: "SELECT",
};
const reminded = ["opened", "saved"];

async function invite(post: Post, folder: string, settings: Record<string, string>): Promise<void> {
  for (const [index, way] of Object.keys(ways).entries()) {
    const file = join(folder, `${way}.csv`);
    const rows = Array.from(
      { length: each },
      (_, n) => `614${index}${String(n).padStart(7, "0")},${way}${n}@mail.example`,
    );
    writeFileSync(file, `mobile,email\n${rows.join("\n")}\n`);
    const args = ["--csv", file, "--out", join(folder, `${way}-links.csv`), "--batch", way, "--send"];
    const said = await runCommand("invite", args, { ...settings, OPERATIONS_DATABASE_URL: post.operations });
    same(said.code, 0, said.err);
  }
}

const reminders: Promised = {
  number: 48,
  async prove(world) {
    const post = await openPost(world, "reminders");
    const server = await startMailServer();
    const folder = mkdtempSync(join(tmpdir(), "reminders-"));
    const settings = { SMTP_URL: server.url };
    try {
      await invite(post, folder, settings);
      // A week and a day without a worker: the invitations went out before it, two reminders of each are due.
      await post.sql(
        `UPDATE messages SET state = 'sent', "sentAt" = now() - interval '8 days' WHERE kind = 'invitation'`,
      );
      await post.sql(`UPDATE messages SET "dueAt" = "dueAt" - interval '8 days' WHERE kind = 'reminder'`);
      // Half of them a worker had claimed already when it was killed.
      await post.sql(
        `UPDATE messages SET state = 'sending' WHERE "dueAt" < now() AND kind = 'reminder' AND number % 2 = 0`,
      );
      for (const change of Object.values(ways)) await post.sql(change);
      await post.sql(`INSERT INTO suppressions (channel, "addressHash") SELECT 'email', unnest($1::text[])`, [
        Array.from({ length: each }, (_, n) => addressHash("email", `stopped${n}@mail.example`)),
      ]);
      const worker = await post.worker({ ...settings, NODE_OPTIONS: skewedClock(daysToOpening(), folder) });
      await post.until("reminders that are due are not judged", `${unsent} AND "dueAt" <= now()`, 60);
      worker.kill("SIGTERM");
      const came = server.envelopes.flat().map((address) => address.replace(/\d*@.*/, ""));
      same(tally(came.sort()), reminded.map((way) => `${each} × ${way}`).join(", "), "reminders that came");
      same(new Set(server.envelopes.flat()).size, each * reminded.length, "people who were reminded");
      const none = Object.keys(ways).filter((way) => !reminded.includes(way));
      return `eight days without a worker, two reminders of each due: 1 each to ${each * reminded.length} who had opened the link or saved a step; 0 to ${each * none.length} (${none.join(", ")}), half of them claimed before`;
    } finally {
      rmSync(folder, { recursive: true, force: true });
      await post.end();
      await server.stop();
    }
  },
};

export const reminding = [reminders];
