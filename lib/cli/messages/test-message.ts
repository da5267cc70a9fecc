import { setTimeout as sleep } from "node:timers/promises";
import { channelNames } from "@/lib/cli/shared/sending";
import { recordRun } from "@/lib/server/applications/record-run";
import { prisma } from "@/lib/server/db/client";
import { lastError } from "@/lib/server/delivery/list-messages";
import type { Contact } from "@/lib/server/outbox/enqueue";
import { currentSettings } from "@/lib/server/settings";
import type { MessageState } from "@/prisma/generated/client";

/** Explains SMTP replies, HTTP statuses of an SMS provider, and errors of the connection to either. The first match counts. */
const explanations = (provider: string): [code: RegExp, words: string][] => [
  [/^(535|EAUTH)\b/, `${provider} refused the user name or password`],
  [/^534\b/, `${provider} requires another login method`],
  [/^530\b/, `${provider} requires a user name and password, or encryption`],
  [/^55[01] 5\.7\b/, `${provider} refused it under its policy: SPF, DKIM or the sender`],
  [/^55[0135]\b/, `${provider} does not accept mail for this address`],
  [/^552\b/, "the mailbox is full, or the message too large"],
  [/^554\b/, `${provider} refused the message`],
  [/^4\d\d\b/, `${provider} asks to try again later`],
  [/^5\d\d\b/, `${provider} refused it`],
  [/^HTTP 40[13]\b/, `${provider} refused the account or its secret`],
  [/^HTTP 402\b/, `the account with ${provider} has no credit`],
  [/^HTTP (3\d\d|404|405)\b/, `the address of ${provider} does not accept messages`],
  [/^HTTP 429\b/, `${provider} asks to send more slowly`],
  [/^HTTP 408\b/, `${provider} did not answer in time`],
  [/^HTTP 4\d\d\b/, `${provider} refused the message`],
  [/^HTTP 5\d\d\b/, `${provider} failed or is overloaded`],
  [/^ECONNREFUSED$/, `nothing is listening at the address of ${provider}`],
  [/^(ENOTFOUND|EAI_AGAIN|EDNS)$/, `the host name of ${provider} was not found`],
  [/TIMEDOUT|TIMEOUT|^(EHOSTUNREACH|ENETUNREACH)$/, `${provider} does not answer`],
  [/^(ECONNRESET|EPIPE|ESOCKET|ECONNECTION|UND_ERR_SOCKET)$/, `${provider} ended the connection`],
  [/CERT|LEAF_SIGNATURE/, `the certificate of ${provider} was not accepted`],
  [/^(ETLS|EPROTO|ERR_SSL.*)$/, `${provider} did not establish an encrypted connection`],
];

/** Explains the error code of an attempt: '535: the mail server refused the user name or password'. */
export function describeError(channel: "email" | "sms", error: string): string {
  const provider = channel === "email" ? "the mail server" : "the SMS provider";
  const words = explanations(provider).find(([code]) => code.test(error))?.[1];
  // The rest of an SMTP code says the same in more detail. The list of messages shows it.
  return words ? `${error.replace(/^(\d{3}) .*/, "$1")}: ${words}` : error;
}

/** Sends a test message and waits for its outcome. Throws an error with the reason if it was not sent. Tests wait less long. */
export async function sendTest(to: Contact, by: string, timeoutMs = 20_000): Promise<string> {
  const { channel } = to;
  await recordRun({ by, command: "messages test", count: 1 });
  if (!currentSettings().sending[channel])
    throw new Error(`Sending by ${channelNames[channel]} is not set up (docs/sending.md).`);
  const { number } = await prisma().message.create({ data: { kind: "test", by, ...to } });
  for (const end = Date.now() + timeoutMs; Date.now() < end; await sleep(500)) {
    const { state, error } = await prisma().message.findUniqueOrThrow({ where: { number } });
    if (state === "sent" || state === "delivered") return `Message ${number}: ${state}.`;
    if (error)
      throw new Error(`Message ${number} ${outcomes[state] ?? `is ${state}`}: ${describeError(channel, error)}.`);
  }
  const reason = await lastError(channel);
  const why = reason
    ? `, because sending does not work at the moment. ${describeError(channel, reason)}.`
    : ": is the app running with WORKER=on, or is 'npm run worker' running?";
  throw new Error(`Message ${number} is still waiting${why}`);
}

const outcomes: Partial<Record<MessageState, string>> = {
  waiting: "was not sent and will be retried",
  failed: "failed",
  unknown: "may have been sent",
};
