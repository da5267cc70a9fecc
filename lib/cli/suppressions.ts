import { recordRun } from "@/lib/server/applications/record-run";
import type { Contact } from "@/lib/server/messages/outbox/enqueue";
import { removeSuppression, suppress, suppressionOf } from "@/lib/server/messages/suppressions";
import type { Suppression } from "@/prisma/generated/client";
import { command, parseArguments, UsageError, withDatabase } from "./command";
import { actorName, byOption, readRecipient, refuseOtherFlags } from "./options";
import { print, toTheMinute } from "./output";

const usage = `Stops invitations and reminders to an address or number, or allows them again. Only a hash of the address is stored. The
reason is stored as it is typed, and an erasure keeps it, so name nobody in it.

  npm run suppressions -- add ADDRESS [--by NAME] [--reason "…"]
  npm run suppressions -- remove ADDRESS [--by NAME]   if the person asks for it, or a bounced address works again
  npm run suppressions -- check ADDRESS [--by NAME]`;

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

const actions = new Map(Object.entries({ add, remove, check }));

export default command(module, usage, async (args) => {
  const options = { ...byOption, reason: { type: "string" } } as const;
  const { values, positionals } = parseArguments({ args, allowPositionals: true, options });
  const [name = "", ...words] = positionals;
  const action = actions.get(name);
  if (!action) throw new UsageError("Choose add, remove or check.");
  refuseOtherFlags(name, values, { add: ["reason"] });
  if (words.length === 0) throw new UsageError("An address or a number is needed.");
  const recipient = readRecipient(words.join(" "));
  print(await withDatabase(() => action(recipient, actorName(values.by), values.reason?.trim() ?? "")));
});
