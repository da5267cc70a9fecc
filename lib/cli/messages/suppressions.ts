import { command, withDatabase } from "@/lib/cli/shared/command";
import { type Flags, UsageError, type Values } from "@/lib/cli/shared/flags";
import { actorName, byOption, headingOption, jsonOption, readRecipient } from "@/lib/cli/shared/options";
import { print, table, toTheMinute } from "@/lib/cli/shared/output";
import { recordRun } from "@/lib/server/applications/record-run";
import { prisma } from "@/lib/server/db/client";
import type { Contact } from "@/lib/server/outbox/enqueue";
import { listSuppressions, removeSuppression, suppress, suppressionOf } from "@/lib/server/outbox/suppressions";
import type { Suppression } from "@/prisma/generated/client";

const usage = `Stops invitations and reminders to an address or number, or allows them again. Only a hash of the address is stored. The
reason is stored as it is typed, and an erasure keeps it, so name nobody in it.

  bin/rent suppressions add ADDRESS
  bin/rent suppressions remove ADDRESS    if the person asks for it, or a bounced address works again
  bin/rent suppressions check ADDRESS
  bin/rent suppressions list              newest first, with the applications that still have the address`;

const flags = {
  reason: { type: "string", for: ["add"], value: "TEXT", help: "why, for the record" },
  json: { ...jsonOption.json, for: ["list"] },
  "no-heading": { ...headingOption["no-heading"], for: ["list"] },
  ...byOption,
} as const satisfies Flags;

async function add({ channel, recipient: address }: Contact, by: string, why: string): Promise<string> {
  await recordRun({ by, command: "suppressions add", count: 1 });
  const { isNew, cancelled } = await suppress(channel, address, why, by);
  const first = isNew
    ? `${address} will get no more invitations or reminders.`
    : `Invitations and reminders to ${address} had already been stopped.`;
  return cancelled > 0 ? `${first} Waiting messages cancelled: ${cancelled}.` : first;
}

async function remove({ channel, recipient: address }: Contact, by: string): Promise<string> {
  await recordRun({ by, command: "suppressions remove", count: 1 });
  if (!(await removeSuppression(channel, address))) return `Invitations and reminders to ${address} were not stopped.`;
  const left = await suppressionOf(channel, address);
  if (!left) return `Invitations and reminders may go to ${address} again.`;
  return `Removed the suppression that a bounce had caused for ${address}. ${sentenceOf(address, left)} Run this again only if this person asks for it.`;
}

function sentenceOf(address: string, { createdAt, reason, by }: Suppression): string {
  const since = `Invitations and reminders to ${address} have been stopped since ${toTheMinute(createdAt)}`;
  return `${[by ? `${since} by ${by}` : since, reason].filter(Boolean).join(": ")}.`;
}

async function check({ channel, recipient: address }: Contact, by: string): Promise<string> {
  await recordRun({ by, command: "suppressions check", count: 1 });
  const found = await suppressionOf(channel, address);
  return found ? sentenceOf(address, found) : `Invitations and reminders to ${address} are not stopped.`;
}

async function list({ json, "no-heading": isPlain }: Values<typeof flags>, by: string): Promise<void> {
  const found = await listSuppressions(prisma());
  await recordRun({ by, command: "suppressions list", count: found.length });
  if (json) return print(JSON.stringify(found));
  if (found.length === 0) return console.error("Nothing is stopped.");
  const rows = found.map(({ createdAt, channel, reason, by, references }) => [
    toTheMinute(createdAt),
    channel,
    reason,
    by,
    references.join(" "),
  ]);
  print(table(["since", "channel", "reason", "by", "reference"], rows, isPlain));
}

const actions = new Map(Object.entries({ add, remove, check }));

export default command(module, { usage, flags, takesWords: true }, async ({ values, words }) => {
  const [name = "", ...address] = words;
  const by = actorName(values.by);
  if (name === "list" && address.length === 0) return withDatabase(() => list(values, by));
  const action = actions.get(name);
  if (!action) throw new UsageError("Choose add, remove, check or list.");
  if (address.length === 0) throw new UsageError("An address or a number is needed.");
  const recipient = readRecipient(address.join(" "));
  print(await withDatabase(() => action(recipient, by, values.reason?.trim() ?? "")));
});
