import "server-only";
import { inGsm7, mostSegments, segmentsOf } from "@/lib/domain/sms-text";
import { codeOf, innermost } from "@/lib/server/db/errors";
import { type Outcome, providerAway, retryAfter } from "@/lib/server/messages/outcome";
import { currentSettings } from "@/lib/server/settings";
import { type Adapter, asCode, type Sms, type SmsRequest, type SmsSettings, unclear } from "./adapter";
import { clicksend } from "./clicksend";
import { generic } from "./generic";
import { messagemedia } from "./messagemedia";
import { twilio } from "./twilio";

export const adapters: Record<SmsSettings["provider"], Adapter> = { generic, twilio, clicksend, messagemedia };

/** Where providers report what became of messages. */
export const reportPath = "/api/webhooks/sms";

/** Sends one text to one number by the provider that is set up, and says what came of it. */
export async function sendSms(message: Sms): Promise<Outcome> {
  const { appUrl, isThisMachine, sending } = currentSettings();
  const { sms } = sending;
  if (!sms) return providerAway("SMS_PROVIDER is not set");
  if (!sms.countries.some((code) => message.to.startsWith(code)))
    return { state: "failed", error: "country not allowed" };
  const text = inGsm7(message.text);
  const segments = segmentsOf(text);
  if (segments > mostSegments) return { state: "failed", error: `${segments} segments` };
  const adapter = adapters[sms.provider];
  // Twilio refuses a message whose reports it cannot deliver.
  const reportsTo = isThisMachine ? undefined : new URL(`${appUrl}${reportPath}`);
  return ask(adapter, adapter.request(sms, { ...message, text }, reportsTo));
}

/** fetch gives up connecting after ten seconds by itself, and then nothing was sent. So this has to be longer. */
const mostMilliseconds = 12_000;
/** Of an answer, whoever sends it. What accepts or refuses one message has less than a thousandth of it. */
const mostBytes = 64 * 1024;

/** Gives one provider one message, once. What may have been sent is 'unknown', and never tried again. */
async function ask(adapter: Adapter, { url, headers, body }: SmsRequest): Promise<Outcome> {
  const signal = AbortSignal.timeout(mostMilliseconds);
  try {
    const answer = await fetch(url, {
      method: "POST",
      // On a kept connection that the provider has just closed, nobody would know whether the message was taken.
      headers: { ...headers, connection: "close" },
      body,
      // A redirect would carry the account's secret elsewhere.
      redirect: "manual",
      signal,
    });
    // The status of a refusal says enough, should the rest of it get lost.
    const text = await textOf(answer).catch(() => "");
    if (text === null && answer.ok) return unclear;
    return outcomeOf(answer, parsed(text ?? ""), adapter);
  } catch (error) {
    return signal.aborted ? { state: "unknown", error: "no answer" } : lost(error as Error);
  }
}

/** Null where it is too long to be read. */
async function textOf({ body }: Response): Promise<string | null> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  // Left before its end, the loop cancels the rest.
  for await (const chunk of body ?? []) {
    size += chunk.byteLength;
    if (size > mostBytes) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function outcomeOf({ ok, status, headers }: Response, answer: unknown, adapter: Adapter): Outcome {
  if (ok) return adapter.accepted(answer);
  const error = [`HTTP ${status}`, asCode(adapter.refusalCode(answer))].filter(Boolean).join(" ");
  if (status === 429 || status === 503) return providerAway(error, retryAfter(headers));
  // The account or the address is wrong, not the message: no message is given up for it.
  if (status === 401 || status === 402 || status < 400) return providerAway(error);
  return { state: status < 500 ? "failed" : "unknown", error };
}

/** Nothing was sent if the address was not found, nobody listened, or the certificate was not accepted. */
function lost(error: Error): Outcome {
  const cause = innermost(error);
  const code = codeOf(error) ?? cause.name;
  const tries: { syscall?: string }[] = cause instanceof AggregateError ? cause.errors : [cause];
  const isUnsent =
    code === "UND_ERR_CONNECT_TIMEOUT" ||
    /CERT|LEAF_SIGNATURE/.test(code) ||
    tries.every((one) => one.syscall === "connect" || one.syscall === "getaddrinfo");
  return isUnsent ? providerAway(code) : { state: "unknown", error: code };
}
