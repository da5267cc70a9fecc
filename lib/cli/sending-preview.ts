import { segmentsOf } from "@/lib/domain/sms-text";
import { contactOf } from "@/lib/server/invitations/create-invitations";
import type { Invitation } from "@/lib/server/invitations/invitation";
import { linkTo } from "@/lib/server/links/link-address";
import { isAllowed } from "@/lib/server/messages/judge";
import { stoppedAmong } from "@/lib/server/messages/suppressions";
import { smsTexts } from "@/lib/server/messages/templates/sms-texts";
import { currentSettings } from "@/lib/server/settings";
import { inChunks } from "./in-chunks";
import { noContact } from "./require-sending";

const rowsAtOnce = 500;

/** Tells what invitations will be sent, before any is created. On stderr: stdout may be read by a program. */
export async function tellWhatIsSent(invitations: AsyncIterable<Invitation> | Iterable<Invitation>): Promise<void> {
  const sum = { email: 0, sms: 0, segments: 0, stopped: 0, outside: 0, baseless: 0 };
  for await (const some of inChunks(each(invitations), rowsAtOnce)) {
    const contacts = some.map((one) => {
      const contact = contactOf(one);
      if (!contact) throw new Error(noContact);
      return contact;
    });
    const stopped = await stoppedAmong(contacts);
    for (const [index, contact] of contacts.entries()) {
      const { source, consentBasis } = some[index] as Invitation;
      if (consentBasis === "") sum.baseless += 1;
      if (stopped.has(contact.recipient)) sum.stopped += 1;
      else if (!isAllowed(contact.recipient, currentSettings())) sum.outside += 1;
      else sum[contact.channel] += 1;
      if (contact.channel === "sms") sum.segments += segmentsOf(sampleText(source));
    }
  }
  console.error(sentences(sum).join("\n"));
}

async function* each(invitations: AsyncIterable<Invitation> | Iterable<Invitation>): AsyncGenerator<Invitation> {
  yield* invitations;
}

/** A token of the length that every token has. */
function sampleText(source: string): string {
  const told = { reference: "XXXX-XXXX", name: "", link: linkTo("x".repeat(43), source), linkUntil: new Date() };
  return smsTexts.invitation?.write(told, currentSettings().brand) ?? "";
}

function sentences(sum: Record<"email" | "sms" | "segments" | "stopped" | "outside" | "baseless", number>): string[] {
  const { reminderDays, perDay } = currentSettings().sending;
  const written = (count: number) => count.toLocaleString("en");
  const all = sum.email + sum.sms;
  const bySms = sum.sms > 0 ? ` and ${written(sum.sms)} by SMS (${written(sum.segments)} segments)` : "";
  return [
    `To send: ${written(sum.email)} by email${bySms}${reminderDays.length > 0 ? `, with reminders after ${reminderDays.join(", ")} days` : ""}.`,
    ...(sum.stopped > 0 ? [`Not sent, since they have stopped our messages: ${written(sum.stopped)}.`] : []),
    ...(sum.outside > 0 ? [`Not sent, since they are not in SANDBOX_RECIPIENTS: ${written(sum.outside)}.`] : []),
    ...(sum.baseless > 0 ? [`Without a consent basis (--consent-basis): ${written(sum.baseless)}.`] : []),
    ...(all > perDay ? [`MESSAGES_PER_DAY is ${written(perDay)}: it takes more than a day.`] : []),
  ];
}
