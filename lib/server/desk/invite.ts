import { hash } from "node:crypto";
import { formatPhone } from "@/lib/domain/phone";
import { addDays } from "@/lib/domain/zone-time";
import { statusOf, storedStatus } from "@/lib/server/db/application-row";
import { prisma } from "@/lib/server/db/client";
import { isAllowed } from "@/lib/server/delivery/check-message";
import { createInvitations, preferredContactOf, reachableContacts } from "@/lib/server/invitations/create-invitations";
import type { Invitation } from "@/lib/server/invitations/invitation";
import { openApplications } from "@/lib/server/invitations/issued-already";
import { readInvitation } from "@/lib/server/invitations/read-invitation";
import { linkTo } from "@/lib/server/links/token";
import type { Contact } from "@/lib/server/outbox/enqueue";
import { requireAppUrl } from "@/lib/server/sending-settings";
import { currentSettings } from "@/lib/server/settings";
import { smsTo, texts } from "@/lib/server/templates/texts";
import { statusName } from "./status-name";

/** What the form of one invitation sends. */
export interface InviteRequest {
  /** By flag, as in a list. Several quotes are separated by semicolons. */
  fields: Record<string, string>;
  /** Whether the app sends the invitation. Otherwise its link is shown once. */
  isSent: boolean;
  /** Whether the person may have a second open application. */
  isSecond: boolean;
  /** The digest of what was previewed; empty before the preview, and when only a preview is asked for. */
  confirmed: string;
}

interface InvitePreview {
  /** Identifies what was previewed, so that nothing else is sent. */
  digest: string;
  /** The reference of an open application with this mobile; empty if there is none. */
  open: string;
  /** Others with this mobile that the lender is dealing with. */
  others: { reference: string; status: string }[];
  /** What happens, in sentences. */
  notes: string[];
  subject: string;
  text: string;
}

export type InviteOutcome =
  | { problems: Record<string, string> }
  | { preview: InvitePreview; warning?: string }
  | { reference: string; link: string; sentBy: string };

/** Previews an invitation or, once exactly this has been previewed, issues it. */
export async function invite(request: InviteRequest, by: string): Promise<InviteOutcome> {
  requireAppUrl();
  const { fields, isSent, isSecond, confirmed } = request;
  const { quote = "", ...rest } = fields;
  const quotes = quote.split(";").filter((text) => text.trim() !== "");
  const read = readInvitation({ ...rest, quote: quotes });
  if ("problems" in read)
    return { problems: Object.fromEntries(read.problems.map(({ flag, message }) => [flag, message])) };
  const { invitation } = read;
  if (isSent && !preferredContactOf(invitation))
    return { problems: { email: "is needed, because no SMS can be sent to this mobile" } };
  const preview = await previewOf(invitation, request);
  if (confirmed === "") return { preview };
  if (confirmed !== preview.digest)
    return { preview, warning: "Something has changed since the preview. Nothing was sent: look again." };
  if (preview.open && !isSecond)
    return { preview, warning: "Nothing was sent. To invite this person to a second application, tick the box below." };
  try {
    const [issued] = await createInvitations([invitation], { by, send: isSent, allowDuplicates: isSecond });
    if (!issued) throw new Error("No invitation was created.");
    return { reference: issued.reference, link: isSent ? "" : issued.link, sentBy: isSent ? channelOf(preview) : "" };
  } catch (error) {
    // Somebody else has invited the same mobile in the meantime.
    const now = await previewOf(invitation, request);
    if (now.open && !isSecond)
      return { preview: now, warning: "Nothing was sent: somebody has just invited this mobile." };
    throw error;
  }
}

const inWords = ({ channel, recipient }: Contact) => (channel === "sms" ? formatPhone(recipient) : recipient);
const channelOf = ({ subject }: InvitePreview) => (subject ? "email" : "SMS");

async function previewOf(invitation: Invitation, { fields, isSent }: InviteRequest): Promise<InvitePreview> {
  const { answers, source, expiresDays, consentBasis } = invitation;
  // Counted, so that a request that is sent again does not invite again.
  const known = await prisma().application.count({ where: { mobile: answers.mobile ?? "" } });
  const digest = hash("sha256", JSON.stringify([Object.entries(fields).sort(), isSent, known]));
  const open = (await openApplications([answers.mobile ?? ""])).get(answers.mobile ?? "") ?? "";
  const inHand = await prisma().application.findMany({
    where: {
      mobile: answers.mobile ?? "",
      status: { in: (["submitted", "in-review", "approved"] as const).map(storedStatus) },
    },
    select: { reference: true, status: true },
    orderBy: { createdAt: "desc" },
  });
  const others = inHand.map(({ reference, status }) => ({ reference, status: statusName(statusOf(status)) }));
  const base = { digest, open, others };
  if (!isSent)
    return { ...base, notes: ["Nothing is sent. You get the link once, to pass on."], subject: "", text: "" };
  const { brand, appUrl, REMINDER_DAYS } = currentSettings();
  const preferred = preferredContactOf(invitation);
  const [contact] = await reachableContacts(prisma(), [invitation]);
  const days = REMINDER_DAYS.filter((day) => day < expiresDays);
  const name = { email: "email", sms: "SMS" };
  const notes = [
    ...(contact ? [`It goes to ${inWords(contact)} by ${name[contact.channel]}.`] : []),
    ...(contact && days.length > 0
      ? [`Reminders follow after ${days.join(", ")} days, until the person submits the application.`]
      : []),
    ...(contact ? [] : ["Nothing will go out: this person has opted out, or cannot be reached."]),
    ...(contact && !isAllowed(contact.recipient)
      ? ["Nothing will go out: this is a test installation (SANDBOX_RECIPIENTS)."]
      : []),
    ...(consentBasis === "" ? ["You have not said why we may write to this person."] : []),
  ];
  const data = {
    reference: "XXXX-XXXX",
    name: fields["first-name"] ?? "",
    link: linkTo("x".repeat(8), source),
    linkUntil: addDays(new Date(), expiresDays),
    stop: `${appUrl}/stop?code=${"x".repeat(8)}`,
  };
  const { channel, recipient } = contact ?? preferred ?? { channel: "sms", recipient: "" };
  if (channel === "sms")
    return { ...base, notes, subject: "", text: smsTo(recipient, texts.invitation.sms, data, brand) };
  const { subject, text } = texts.invitation.email.render(data, brand);
  return { ...base, notes, subject, text };
}
