"use server";

import { deskAction } from "@/app/desk/guard";
import type { ActionResult } from "@/components/desk/action-form";
import { recordRun } from "@/lib/server/applications/record-run";
import { refusedRetries, retryMessages } from "@/lib/server/delivery/list-messages";
import { outstandingStates } from "@/lib/server/delivery/outstanding-messages";
import { addOptOut, checkOptOut, removeOptOut } from "@/lib/server/invitations/opt-outs";
import { readRecipient } from "@/lib/server/outbox/read-recipient";
import { reasonInWords } from "@/lib/server/outbox/reason-words";

const channels = ["email", "sms", "webhook"] as const;

export const retryOne = deskAction("retry", async (form, { by }) => {
  const text = String(form.get("number"));
  if (!/^[1-9]\d{0,14}$/.test(text)) return { refused: "There is no such message." };
  const numbers = [Number(text)];
  await recordRun({ by, command: "desk messages retry", count: 1 });
  const [refused] = (await refusedRetries(numbers)).values();
  if (refused !== undefined) return { refused: `It would only be cancelled. ${reasonInWords(refused)}` };
  const retried = await retryMessages({ numbers, states: [] });
  return retried.length > 0
    ? { done: "It will be tried again within a minute." }
    : { refused: "It was sent, cancelled or retried in the meantime. Load the page again." };
});

export const retryAll = deskAction("retry", async (form, { by }) => {
  const state = outstandingStates.find((known) => known === form.get("state"));
  const channel = channels.find((known) => known === form.get("channel"));
  if (!state || !channel) return { refused: "Choose what to retry." };
  await recordRun({ by, command: "desk messages retry" });
  const retried = await retryMessages({ numbers: [], states: [state], channel });
  const count = retried.length === 1 ? "1 message" : `${retried.length.toLocaleString("en")} messages`;
  return {
    done: `${count} will be tried again. Invitations and reminders to people who get no more of them are left out.`,
  };
});

const maxReason = 200;

/** An opt-out's form: the contact and, where something changes, the reason. */
function optOut(work: typeof addOptOut, name: string, needsReason: boolean) {
  return async (form: FormData, { by }: { by: string }): Promise<ActionResult> => {
    const contact = readRecipient(String(form.get("address") ?? ""));
    if (!contact) return { refused: "That is neither an email address nor a phone number." };
    const why = String(form.get("reason") ?? "").trim();
    if (needsReason && (why === "" || why.length > maxReason || why.includes("\0")))
      return { refused: `Give a reason of at most ${maxReason} characters.` };
    return { done: await work(contact, { by, command: `desk opt-outs ${name}`, why }) };
  };
}

export const lookUp = deskAction("read", optOut(checkOptOut, "look up", false));
export const addOne = deskAction("add-opt-out", optOut(addOptOut, "add", true));
export const removeOne = deskAction("remove-opt-out", optOut(removeOptOut, "remove", true));
