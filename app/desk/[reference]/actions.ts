"use server";

import { refresh } from "next/cache";
import { redirect } from "next/navigation";
import { deskAction } from "@/app/desk/guard";
import type { ActionResult } from "@/components/desk/action-form";
import { labelOf } from "@/lib/domain/application";
import { readReference } from "@/lib/domain/reference";
import { statuses } from "@/lib/domain/statuses";
import { eraseApplication } from "@/lib/server/applications/erase";
import { addNote, releaseApplication, takeApplication } from "@/lib/server/applications/handling";
import { recordRun } from "@/lib/server/applications/record-run";
import { eventId } from "@/lib/server/applications/refuse-if-changed";
import { decide, type Shown, startReview, undo } from "@/lib/server/desk/decisions";
import type { Person } from "@/lib/server/desk/sessions";
import { correctContact } from "@/lib/server/invitations/correct-contact";
import { contactSchema } from "@/lib/server/invitations/invitation";
import { reissueLink, revokeLinks } from "@/lib/server/invitations/links";
import { linkDays } from "@/lib/server/links/token";
import { Refusal } from "@/lib/server/refusal";
import { requireAppUrl, requireSending } from "@/lib/server/sending-settings";

interface Sent {
  reference: string;
  /** What was typed or hidden under this name; empty if nothing was. */
  text: (name: string) => string;
  shown: Shown;
  person: Person;
}

const maxTyped = 5000;

/** An action on one application. Afterwards the page shows the application as it is now, even after a refusal. */
function onApplication(work: (sent: Sent) => Promise<string>) {
  return async (form: FormData, person: Person): Promise<ActionResult> => {
    const text = (name: string) =>
      String(form.get(name) ?? "")
        .replaceAll("\r\n", "\n")
        .trim();
    const texts = [...form.values()].map(String);
    if (texts.some((value) => value.length > maxTyped))
      throw new Refusal(`A text may have at most ${maxTyped} characters.`);
    if (texts.some((value) => value.includes("\0")))
      throw new Refusal("The text contains a character that cannot be saved.");
    const shown = { status: text("status"), version: text("version"), isErased: text("isErased") === "true" };
    try {
      return { done: await work({ reference: text("reference"), text, shown, person }) };
    } catch (error) {
      // A refusal can say what has happened to the application.
      const reference = readReference(text("reference"));
      if (error instanceof Refusal && reference) await recordRun({ by: person.by, command: "desk show", reference });
      throw error;
    } finally {
      refresh();
    }
  };
}

export const take = deskAction(
  "handle",
  onApplication(async ({ reference, text, person }) => {
    await takeApplication(reference, person.by, text("takenBy"));
    return "You have taken this application.";
  }),
);

export const release = deskAction(
  "handle",
  onApplication(async ({ reference, text, person }) => {
    await releaseApplication(reference, person.by, text("takenBy"));
    return "Nobody is handling this application now.";
  }),
);

export const note = deskAction(
  "handle",
  onApplication(async ({ reference, text, shown, person }) => {
    if (text("note") === "") throw new Refusal("Type the note first.");
    await addNote(reference, text("note"), person.by, eventId(shown.version));
    return "The note was added.";
  }),
);

export const review = deskAction(
  "start-review",
  onApplication(async ({ reference, shown, person }) => {
    await startReview(reference, shown, person.by);
    return "The review has started.";
  }),
);

export const undoChange = deskAction(
  "start-review",
  onApplication(async ({ reference, shown, person }) => {
    const status = await undo(reference, shown, person);
    return `Undone: the status is ${statuses[status].name} again.`;
  }),
);

export const setDecision = deskAction(
  "decide",
  onApplication(async ({ reference, text, shown, person }) => {
    // A record has one line per event.
    const reason = text("reason")
      .split(/[\r\n]/)
      .join(" ");
    await decide(reference, text("to"), reason, shown, person.by);
    redirect(`/desk/${reference}`);
  }),
);

export const correct = deskAction(
  "correct",
  onApplication(async ({ reference, text, shown, person }) => {
    const { data: typed, error } = contactSchema.safeParse({ email: text("email"), mobile: text("mobile") });
    if (error) {
      const [issue] = error.issues;
      const name = issue?.path[0] === "email" ? "email" : "mobile";
      throw new Refusal(name === "email" ? "That is not an email address." : `${labelOf(name)} ${issue?.message}.`);
    }
    const isNew = (name: "email" | "mobile") => typed[name] && typed[name] !== text(`shown-${name}`);
    const right = {
      email: isNew("email") ? typed.email : undefined,
      mobile: isNew("mobile") ? typed.mobile : undefined,
    };
    if (!right.email && !right.mobile) throw new Refusal("Type the right email address or mobile first.");
    const send = text("send") === "on";
    requireAppUrl();
    if (send) requireSending();
    const allowDuplicates = text("allow-duplicates") === "on";
    const options = { expiresDays: linkDays, by: person.by, send, allowDuplicates, seen: shown.version };
    const { sentBy } = await correctContact(reference, right, options);
    const sent = sentBy ? ` An invitation will be sent by ${sentBy === "sms" ? "SMS" : "email"}.` : "";
    return `The contact was corrected, and the old links no longer work.${sent}`;
  }),
);

export const sendLink = deskAction(
  "reissue",
  onApplication(async ({ reference, shown, person }) => {
    requireAppUrl();
    requireSending();
    const options = { expiresDays: linkDays, by: person.by, send: true, seen: shown.version };
    const { sentBy } = await reissueLink(reference, options);
    return `A new link will be sent by ${sentBy === "sms" ? "SMS" : "email"}. The old links no longer work.`;
  }),
);

export const revoke = deskAction(
  "revoke",
  onApplication(async ({ reference, shown, person }) => {
    const count = await revokeLinks(reference, person.by, shown.version);
    const revoked = count === 1 ? "1 link was revoked." : `${count} links were revoked.`;
    return `${revoked} No reminder goes out until a new link is sent.`;
  }),
);

export const erase = deskAction(
  "erase",
  onApplication(async ({ reference, text, shown, person }) => {
    const [updatedAt, erasedAt] = [new Date(text("updatedAt")), text("erasedAt") ? new Date(text("erasedAt")) : null];
    await eraseApplication(reference, person.by, { updatedAt, erasedAt }, shown.version);
    redirect(`/desk/${reference}`);
  }),
);
