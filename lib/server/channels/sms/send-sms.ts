import { z } from "zod";
import { maxSegments, segmentsOf, toGsm7 } from "@/lib/domain/sms-text";
import { judgeRefusal } from "@/lib/server/channels/account-fault";
import { codeOf, innermost } from "@/lib/server/db/errors";
import { readJsonAnswer } from "@/lib/server/http/read-answer";
import { isCountryAllowed } from "@/lib/server/outbox/enqueue";
import { type Outcome, providerUnavailable, retryAfter } from "@/lib/server/outbox/outcome";
import { currentSettings } from "@/lib/server/settings";
import { type Adapter, parseProviderCode, type Sms, type SmsRequest, type SmsSettings } from "./adapter";
import { clicksend } from "./clicksend";
import { generic } from "./generic";
import { messagemedia } from "./messagemedia";
import { twilio } from "./twilio";

export const adapters: Record<SmsSettings["provider"], Adapter> = { generic, twilio, clicksend, messagemedia };

/** The path that providers call to report what became of messages. */
export const reportPath = "/api/webhooks/sms";

export async function sendSms(message: Sms): Promise<Outcome> {
  const { appUrl, isThisMachine, sending } = currentSettings();
  const { sms } = sending;
  if (!sms) return providerUnavailable("SMS_PROVIDER is not set");
  if (!isCountryAllowed(message.to)) return { state: "failed", error: "country not allowed" };
  const text = toGsm7(message.text);
  const segments = segmentsOf(text);
  if (segments > maxSegments) return { state: "failed", error: `${segments} segments` };
  const adapter = adapters[sms.provider];
  // Twilio refuses a message if it cannot reach the address for its reports.
  const reportsTo = isThisMachine ? undefined : new URL(`${appUrl}${reportPath}`);
  return post(adapter, adapter.request(sms, { ...message, text }, reportsTo));
}

/** Longer than the ten seconds after which fetch itself gives up connecting: in that case nothing was sent. */
const timeoutMs = 12_000;

/** Gives the message to the provider once. If it may have been sent, it is 'unknown' and is never retried automatically. */
async function post(adapter: Adapter, { url, headers, body }: SmsRequest): Promise<Outcome> {
  const signal = AbortSignal.timeout(timeoutMs);
  try {
    const response = await fetch(url, {
      method: "POST",
      // If the provider had just closed a reused connection, nobody would know whether it accepted the message.
      headers: { ...headers, connection: "close" },
      body,
      // Following a redirect could send the account's secret elsewhere.
      redirect: "manual",
      signal,
    });
    // The HTTP status of a refusal is enough if its body gets lost or is not JSON.
    const answer = await readJsonAnswer(response);
    const outcome = outcomeOf(response, answer, adapter);
    const code = outcome.state === "failed" ? (outcome.error.split(" ").at(-1) ?? "") : "";
    const isForRecipient = adapter.recipientErrors?.includes(code);
    return judgeRefusal("sms", outcome, { reply: JSON.stringify(answer), isForRecipient });
  } catch (error) {
    return signal.aborted ? { state: "unknown", error: "no response" } : outcomeOfError(error as Error);
  }
}

function outcomeOf({ ok, status, headers }: Response, body: unknown, adapter: Adapter): Outcome {
  if (ok) return adapter.accepted(body) ?? { state: "unknown", error: "response not understood" };
  const fields = z.record(z.string(), z.unknown()).safeParse(body).data ?? {};
  const code = adapter.refusalField && parseProviderCode(fields[adapter.refusalField]);
  const error = code ? `HTTP ${status} ${code}` : `HTTP ${status}`;
  if (status === 429 || status === 503) return providerUnavailable(error, retryAfter(headers));
  // The account or the address is wrong, not the message, so the message is not given up.
  const isAccountError = code !== undefined && adapter.accountErrors?.includes(code);
  if (isAccountError || [401, 402, 403, 404, 405].includes(status) || status < 400) return providerUnavailable(error);
  // A proxy may answer 408 because the provider was slow.
  if (status >= 500 || status === 408) return { state: "unknown", error };
  const isOptedOut = code !== undefined && code === adapter.optOutError;
  return { state: "failed", error, ...(isOptedOut ? { isOptedOut: true } : {}) };
}

/** Errors of TLS that end the handshake: the provider's address is not an https one, or the two have no version in common. */
const handshakeErrors =
  /^ERR_SSL_(WRONG_VERSION_NUMBER|UNSUPPORTED_PROTOCOL|\S*ALERT_(HANDSHAKE_FAILURE|PROTOCOL_VERSION))$|CERT|LEAF_SIGNATURE/;

/** Nothing was sent if the host was not found, no connection was made, or the handshake failed, as with a wrong certificate. */
function outcomeOfError(error: Error): Outcome {
  const cause = innermost(error);
  // fetch refuses some ports (https://fetch.spec.whatwg.org/#port-blocking), and its error has no code.
  const isBadPort = cause.message === "bad port";
  const code = isBadPort ? cause.message : (codeOf(error) ?? cause.name);
  const failures: { syscall?: string }[] = cause instanceof AggregateError ? cause.errors : [cause];
  const isUnsent =
    isBadPort ||
    code === "UND_ERR_CONNECT_TIMEOUT" ||
    handshakeErrors.test(code) ||
    // Node gives the error of a connection that is closed during the handshake no other mark.
    cause.message.includes("before secure TLS connection was established") ||
    failures.every(({ syscall }) => syscall === "connect" || syscall === "getaddrinfo");
  return isUnsent ? providerUnavailable(code) : { state: "unknown", error: code };
}
