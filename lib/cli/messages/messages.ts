import { command, withDatabase } from "@/lib/cli/shared/command";
import { type Flags, fromCallersFolder, UsageError, type Values } from "@/lib/cli/shared/flags";
import {
  actorName,
  byOption,
  headingOption,
  jsonOption,
  oneOf,
  parseSince,
  previewOption,
  requireRecipient,
} from "@/lib/cli/shared/options";
import { print, table, withNoun } from "@/lib/cli/shared/output";
import { findByReference } from "@/lib/server/applications/find-by-reference";
import { recordRun } from "@/lib/server/applications/record-run";
import { toTheMinute } from "@/lib/server/brand-time";
import { webhookTypes } from "@/lib/server/channels/webhooks/replay";
import {
  cancelMessages,
  type ListedMessage,
  listMessages,
  refusedRetries,
  retriable,
  retryMessages,
} from "@/lib/server/delivery/list-messages";
import { MessageChannel, MessageState } from "@/prisma/generated/client";
import { applyBounces } from "./bounces";
import { previewPage } from "./message-preview";
import { resendEvents } from "./resend-events";
import { sendTest } from "./test-message";

const usage = `Lists messages, retries or cancels them, and shows their texts.

  bin/rent messages list
  bin/rent messages preview KIND       prints a message with sample values; without KIND, lists the kinds
  bin/rent messages retry NUMBER …     retries those that failed, were cancelled or are unknown
  bin/rent messages retry --state unknown
  bin/rent messages retry --channel webhook --since DAY
                                       sends every event again, delivered and missing ones included, with its original id
  bin/rent messages cancel NUMBER …    cancels waiting, sending or unknown ones; one being sent may still arrive
  bin/rent messages test ADDRESS       sends a test to an email address or a number, and waits for the outcome
  bin/rent messages bounces PATH       reads delivery reports: a Maildir, an mbox, an email; without PATH, standard input`;

const flags = {
  state: { type: "string", for: ["list", "retry"], value: "waiting,failed,unknown …", help: "only in these states" },
  channel: { type: "string", for: ["list", "retry"], value: "email | sms | webhook", help: "only by this channel" },
  since: { type: "string", for: ["list", "retry"], value: "DAY", help: "due or tried since then: today or 2026-03-01" },
  type: { type: "string", for: ["retry"], value: "TYPE", help: `only ${webhookTypes.join(" or ")}` },
  preview: { ...previewOption.preview, for: ["retry"] },
  due: { type: "boolean", for: ["list"], help: "due but not sent" },
  reference: { type: "string", for: ["list"], value: "REFERENCE", help: "only about this application" },
  json: { ...jsonOption.json, for: ["list"] },
  "no-heading": { ...headingOption["no-heading"], for: ["list"] },
  html: { type: "boolean", for: ["preview"], help: "prints the HTML of the email" },
  ...byOption,
} as const satisfies Flags;

const headings = ["number", "sent or due", "state", "kind", "channel", "recipient", "reference", "attempts", "error"];

function statesOf(text: string | undefined): MessageState[] {
  const names = (text ?? "").split(",").flatMap((name) => name.trim() || []);
  return names.flatMap((state) => oneOf("state", state, Object.values(MessageState)) ?? []);
}

function numbersOf(words: string[]): number[] {
  if (!words.every((word) => /^[1-9]\d{0,14}$/.test(word)))
    throw new UsageError("Give the number of a message, as 'list' shows it.");
  return words.map(Number);
}

function printList(found: ListedMessage[], values: Values<typeof flags>): void {
  const rows = found.map(({ number, due, sent, state, kind, channel, recipient, reference, attempts, error }) =>
    [number, toTheMinute(sent ?? due), state, kind, channel, recipient, reference, attempts, error].map(String),
  );
  if (values.json) print(JSON.stringify(found));
  else if (rows.length > 0) print(table(headings, rows, values["no-heading"]));
  else console.error("No messages found.");
}

/** The exit code is 1 if a number that was given was not changed. */
function reportOthers(numbers: number[], changed: number[], why: string): void {
  const others = numbers.filter((number) => !changed.includes(number));
  for (const number of others) console.error(`Message ${number} ${why}.`);
  if (others.length > 0) process.exitCode = 1;
}

export default command(module, { usage, flags, takesWords: true }, async ({ values, words }) => {
  const [action, ...rest] = words;
  const { html, reference, preview = false } = values;
  const states = statesOf(values.state);
  const channel = oneOf("channel", values.channel, Object.values(MessageChannel));
  if (action === "preview" && rest.length <= 1) return console.log(previewPage(rest[0], html ?? false));
  const by = actorName(values.by);
  if (action === "list" && rest.length === 0) {
    if (values.due && values.since) throw new UsageError("Give either --since or --due.");
    const since = parseSince(values.since);
    return withDatabase(async () => {
      const application = reference === undefined ? undefined : await findByReference(reference);
      const filter = { states, channel, since, isDue: values.due, reference: application?.reference };
      const found = await listMessages(filter);
      await recordRun({ by, command: "messages list", count: found.length, reference: filter.reference });
      printList(found, values);
    });
  }
  if (action === "retry") {
    const since = parseSince(values.since);
    const type = oneOf("type", values.type, webhookTypes) ?? null;
    const isOfEvents = rest.length === 0 && states.length === 0 && channel === "webhook" && since !== null;
    if (isOfEvents) return console.log(await resendEvents({ since, type }, by, preview));
    if (type || preview)
      throw new UsageError("--type and --preview require --channel webhook and --since, without --state.");
    if (rest.length > 0 === states.length > 0)
      throw new UsageError("Give the numbers of messages, or --state, or --channel webhook and --since.");
    if (rest.length > 0 && (channel || values.since)) throw new UsageError("--channel and --since require --state.");
    const other = states.find((state) => !retriable.includes(state));
    if (other)
      throw new UsageError(`Messages that are ${other} are not retried, only those that are ${retriable.join(", ")}.`);
    const numbers = numbersOf(rest);
    const selected = { states, channel, since };
    const { refused, sendable, retried } = await withDatabase(async () => {
      await recordRun({ by, command: "messages retry", count: numbers.length || undefined });
      const refused = await refusedRetries(numbers);
      const sendable = numbers.filter((number) => !refused.has(number));
      return { refused, sendable, retried: await retryMessages({ ...selected, numbers: sendable }) };
    });
    const which = rest.length === 0 && retried.length > 0 ? `: ${retried.join(" ")}` : "";
    console.log(`${withNoun(retried.length, "message")} will be retried${which}.`);
    for (const [number, error] of refused) console.error(`Message ${number} would only be cancelled: ${error}.`);
    if (refused.size > 0) process.exitCode = 1;
    return reportOthers(sendable, retried, "was sent, is being sent, has not been tried or does not exist");
  }
  if (action === "cancel") {
    if (rest.length === 0) throw new UsageError("Give the numbers of messages.");
    const numbers = numbersOf(rest);
    const cancelled = await withDatabase(async () => {
      await recordRun({ by, command: "messages cancel", count: numbers.length });
      return cancelMessages(numbers, by);
    });
    console.log(`${withNoun(cancelled.length, "message")} cancelled.`);
    return reportOthers(numbers, cancelled, "can no longer be cancelled, or does not exist");
  }
  if (action === "bounces" && rest.length <= 1)
    return withDatabase(() => applyBounces(rest[0] && fromCallersFolder(rest[0]), by));
  if (action !== "test" || rest.length === 0)
    throw new UsageError("Choose list, preview, retry, cancel, test ADDRESS or bounces.");
  const recipient = requireRecipient(rest.join(" "));
  console.log(await withDatabase(() => sendTest(recipient, by)));
});
