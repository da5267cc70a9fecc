import "server-only";
import { createHmac } from "node:crypto";

interface Signed {
  id: string;
  /** Of this attempt, in seconds. */
  timestamp: string;
  body: string;
}

/** The header webhook-signature of the Standard Webhooks specification: one signature for each secret, two while they are rotated. */
export function signatures(secrets: string[], { id, timestamp, body }: Signed): string {
  return secrets
    .map((secret) => Buffer.from(secret.replace(/^whsec_/, ""), "base64"))
    .map((key) => createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64"))
    .map((signature) => `v1,${signature}`)
    .join(" ");
}
