import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { tally } from "@/__tests__/support/processes/figures";
import { isOpen } from "@/lib/domain/business-hours";
import { addressHash } from "@/lib/server/messages/outbox/stopped";
import { same } from "./support/expect";
import { openMailServer, openPost, unsent } from "./support/sending";
import { skewedClock } from "./support/skewed-clock";
import { promise } from "./support/world";

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

promise(48, async (world) => {
  const server = await openMailServer(world);
  const post = await openPost(world, "reminders");
  const folder = world.folder();
  const settings = { SMTP_URL: server.url };
  for (const [index, way] of Object.keys(ways).entries()) {
    const file = join(folder, `${way}.csv`);
    const row = (n: number) => `614${index}${String(n).padStart(7, "0")},${way}${n}@mail.example`;
    writeFileSync(file, `mobile,email\n${Array.from({ length: each }, (_, n) => row(n)).join("\n")}\n`);
    const out = join(folder, `${way}-links.csv`);
    await post.command("invite", ["--csv", file, "--out", out, "--batch", way, "--send"], settings);
  }
  // A week and a day without a worker: the invitations went out before it, two reminders of each are due.
  await post.sql(`UPDATE messages SET state = 'sent', "sentAt" = now() - interval '8 days' WHERE kind = 'invitation'`);
  await post.sql(`UPDATE messages SET "dueAt" = "dueAt" - interval '8 days' WHERE kind = 'reminder'`);
  // Half of them a worker had claimed already when it was killed.
  await post.sql(
    `UPDATE messages SET state = 'sending' WHERE "dueAt" < now() AND kind = 'reminder' AND number % 2 = 0`,
  );
  for (const change of Object.values(ways)) await post.sql(change);
  await post.sql(`INSERT INTO suppressions (channel, "addressHash") SELECT 'email', unnest($1::text[])`, [
    Array.from({ length: each }, (_, n) => addressHash("email", `stopped${n}@mail.example`)),
  ]);
  await post.worker({ ...settings, NODE_OPTIONS: skewedClock(daysToOpening(), folder) });
  await post.until("reminders that are due are not judged", `${unsent} AND "dueAt" <= now()`, 60);
  const came = server.envelopes.flat().map((address) => address.replace(/\d*@.*/, ""));
  same(tally(came.sort()), reminded.map((way) => `${each} × ${way}`).join(", "), "reminders that came");
  same(new Set(server.envelopes.flat()).size, each * reminded.length, "people who were reminded");
  const none = Object.keys(ways).filter((way) => !reminded.includes(way));
  return `eight days without a worker, two reminders of each due: 1 each to ${each * reminded.length} who had opened the link or saved a step; 0 to ${each * none.length} (${none.join(", ")}), half of them claimed before`;
});
