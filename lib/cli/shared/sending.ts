import { maxSegments, segmentsOf, toGsm7 } from "@/lib/domain/sms-text";
import { prisma } from "@/lib/server/db/client";
import { isAllowed } from "@/lib/server/delivery/check-message";
import { commercialCap } from "@/lib/server/delivery/claim";
import { preferredContactOf, reachableContacts } from "@/lib/server/invitations/create-invitations";
import type { Invitation } from "@/lib/server/invitations/invitation";
import { linkTo } from "@/lib/server/links/token";
import { appUrlCaveat } from "@/lib/server/sending-settings";
import { currentSettings } from "@/lib/server/settings";
import { texts } from "@/lib/server/templates/texts";
import { chunks, formatCount } from "./output";

const rowsAtOnce = 500;

export const channelNames = { email: "email", sms: "SMS" };

export const noContact = "there is no email address, and no SMS can be sent to the mobile";

/** Reports on stderr which invitations will be sent, before any is created, because a program may read stdout. */
export async function reportSending(invitations: Invitation[]): Promise<void> {
  const sum = { email: 0, sms: 0, segments: 0, stopped: 0, outside: 0, withoutBasis: 0 };
  for (const chunk of chunks(invitations, rowsAtOnce)) {
    if (chunk.some((invitation) => !preferredContactOf(invitation)))
      throw new Error(`No message can be sent: ${noContact}.`);
    const contacts = await reachableContacts(prisma(), chunk);
    for (const [index, { source, consentBasis }] of chunk.entries()) {
      if (consentBasis === "") sum.withoutBasis += 1;
      const contact = contacts[index];
      if (!contact) sum.stopped += 1;
      else if (!isAllowed(contact.recipient)) sum.outside += 1;
      else {
        sum[contact.channel] += 1;
        if (contact.channel === "sms") sum.segments += countSegments(source);
      }
    }
  }
  const { REMINDER_DAYS: reminderDays, MESSAGES_PER_DAY: perDay } = currentSettings();
  const aDay = commercialCap(perDay);
  const longest = Math.max(...invitations.map(({ expiresDays }) => expiresDays));
  // A reminder is not sent once the link has expired.
  const days = reminderDays.filter((day) => day < longest);
  const reminders = days.length > 0 && sum.email + sum.sms > 0 ? `, with reminders after ${days.join(", ")} days` : "";
  const bySms = sum.sms > 0 ? ` and ${formatCount(sum.sms)} by SMS (${formatCount(sum.segments)} segments)` : "";
  console.error(`To send: ${formatCount(sum.email)} by email${bySms}${reminders}.`);
  if (sum.stopped > 0) console.error(`Not sent (opted out or unreachable): ${formatCount(sum.stopped)}.`);
  const { outside } = sum;
  if (outside > 0) console.error(`Not sent (not in SANDBOX_RECIPIENTS${appUrlCaveat()}): ${formatCount(outside)}.`);
  if (sum.withoutBasis > 0) console.error(`No consent basis (--consent-basis): ${formatCount(sum.withoutBasis)}.`);
  if (sum.email + sum.sms > aDay)
    console.error(
      `MESSAGES_PER_DAY leaves ${formatCount(aDay)} a day for invitations and reminders, so sending will take more than a day.`,
    );
}

/** Renders a sample, whose token has the length of every token. Throws if the SMS is too long to be sent. */
function countSegments(source: string): number {
  const data = { reference: "XXXX-XXXX", name: "", link: linkTo("x".repeat(43), source), linkUntil: new Date() };
  const segments = segmentsOf(toGsm7(texts.invitation.sms.render(data, currentSettings().brand)));
  if (segments <= maxSegments) return segments;
  throw new Error(
    `An SMS would take ${segments} segments, but at most ${maxSegments} are sent: shorten BRAND_LEGAL_NAME or APP_URL.`,
  );
}

/** Without APP_URL, a link leads to the machine on which it is opened. Reported on stderr: a program may read stdout. */
export function reportLinkTarget(): void {
  const { appUrl, isAppUrlAssumed } = currentSettings();
  if (isAppUrlAssumed)
    console.error(`Links lead to this machine (${appUrl}). Set APP_URL to the address for applicants.`);
}
