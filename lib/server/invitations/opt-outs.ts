import { printable } from "@/lib/domain/printable-text";
import { formatToMinute } from "@/lib/domain/zone-time";
import { recordRun } from "@/lib/server/applications/record-run";
import type { Contact } from "@/lib/server/outbox/enqueue";
import { removeSuppression, suppress, suppressionOf } from "@/lib/server/outbox/suppressions";
import { Refusal } from "@/lib/server/refusal";
import { currentSettings } from "@/lib/server/settings";
import type { Suppression } from "@/prisma/generated/client";

interface Run {
  by: string;
  /** The command or the page, for the record. */
  command: string;
  why?: string;
}

/** A reason outlives an erasure, so it may not hold the contact, of which only a hash is stored. A date is no phone number. */
function refuseContactIn(why = ""): void {
  const withoutDates = why.normalize("NFKC").replace(/\b\d{4}-\d\d-\d\d\b/g, "");
  if (/@|(\d[\s().-]*){8}/.test(withoutDates))
    throw new Refusal("Give a reason without an email address or phone number: it is kept for good.");
}

/** Stops invitations and reminders to a contact, and says so in a sentence. */
export async function addOptOut({ channel, recipient }: Contact, { by, command, why = "" }: Run): Promise<string> {
  refuseContactIn(why);
  await recordRun({ by, command, count: 1 });
  const { isNew, cancelled } = await suppress(channel, recipient, why, by);
  const first = isNew
    ? `${recipient} will get no more invitations or reminders.`
    : `Invitations and reminders to ${recipient} had already been stopped.`;
  return cancelled > 0 ? `${first} Waiting messages cancelled: ${cancelled}.` : first;
}

/** Allows invitations and reminders to a contact again. The reason is kept with the record of the run. */
export async function removeOptOut({ channel, recipient }: Contact, { by, command, why }: Run): Promise<string> {
  refuseContactIn(why);
  await recordRun({ by, command: why ? `${command}: ${why}` : command, count: 1 });
  if (!(await removeSuppression(channel, recipient)))
    return `Invitations and reminders to ${recipient} were not stopped.`;
  const left = await suppressionOf(channel, recipient);
  if (!left) return `Invitations and reminders may go to ${recipient} again.`;
  return `${recipient} is no longer stopped because of a bounce. ${sentenceOf(recipient, left)} Repeat this only if this person asks for it.`;
}

function sentenceOf(recipient: string, { createdAt, reason, by }: Suppression): string {
  const since = formatToMinute(createdAt, currentSettings().brand);
  const stopped = `Invitations and reminders to ${recipient} have been stopped since ${since}`;
  return printable(`${[by ? `${stopped} by ${by}` : stopped, reason].filter(Boolean).join(": ")}.`);
}

export async function checkOptOut({ channel, recipient }: Contact, { by, command }: Run): Promise<string> {
  await recordRun({ by, command, count: 1 });
  const found = await suppressionOf(channel, recipient);
  return found ? sentenceOf(recipient, found) : `Invitations and reminders to ${recipient} are not stopped.`;
}
