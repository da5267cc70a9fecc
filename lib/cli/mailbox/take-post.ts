import { timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { z } from "zod";
import { signatures } from "@/lib/server/messages/webhooks/send-webhook";
import type { Inbox } from "./received";

/** Made up for each start. */
export interface Secrets {
  /** The gateway's Authorization header. */
  sms: string;
  webhook: string;
}

/** A webhook that is older is refused, as the specification asks: somebody might have recorded it. */
const toleranceSeconds = 5 * 60;

const smsSchema = z.object({ to: z.string(), from: z.string(), text: z.string() });
const webhookSchema = z.object({ type: z.string() });

/** What a gateway for SMS_PROVIDER=generic does. Returns the status of its answer. */
export function takeSms(inbox: Inbox, secrets: Secrets, headers: IncomingHttpHeaders, body: string): number {
  if (!isSame(headers.authorization ?? "", secrets.sms)) return 401;
  const { success, data } = smsSchema.safeParse(parsed(body));
  if (!success) return 400;
  inbox.take({
    channel: "sms",
    from: data.from,
    to: [data.to],
    subject: "",
    text: data.text,
    html: null,
    headers: told(headers),
  });
  return 200;
}

/** What a lender's system does: it verifies the signature, keeps what it got, and refuses what is not verified. */
export function takeWebhook(inbox: Inbox, secrets: Secrets, { headers, url }: IncomingMessage, body: string): number {
  const json = parsed(body);
  const verified = isSigned(secrets, headers, body);
  inbox.take({
    channel: "webhook",
    from: "The app",
    to: [url ?? ""],
    subject: webhookSchema.safeParse(json).data?.type ?? "",
    text: json === undefined ? body : JSON.stringify(json, null, 2),
    html: null,
    headers: told(headers),
    verified,
  });
  return verified ? 204 : 401;
}

function isSigned({ webhook }: Secrets, headers: IncomingHttpHeaders, body: string): boolean {
  const [id = "", timestamp = "", given = ""] = ["id", "timestamp", "signature"].map((name) =>
    String(headers[`webhook-${name}`] ?? ""),
  );
  const isFresh = Math.abs(Date.now() / 1000 - Number(timestamp)) <= toleranceSeconds;
  const expected = signatures([webhook], { id, timestamp, body });
  return isFresh && given.split(" ").some((one) => isSame(one, expected));
}

function isSame(given: string, expected: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(expected)];
  return one.length === other.length && timingSafeEqual(one, other);
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

/** Without the secret of the gateway. */
function told(headers: IncomingHttpHeaders): { name: string; value: string }[] {
  return Object.entries(headers)
    .filter(([name]) => name !== "authorization")
    .map(([name, value]) => ({ name, value: String(value) }));
}
