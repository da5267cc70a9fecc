import { createHmac } from "node:crypto";
import { CallError } from "@/lib/server/http/call-error";
import { countGuess } from "@/lib/server/http/limits";
import { isSameSecret } from "@/lib/server/links/token";

/** Whether a call has `x-signature: sha256=…`, the HMAC of its body in hexadecimal digits of either case. */
export function isSigned({ headers, body }: { headers: Headers; body: Uint8Array }, secret: string): boolean {
  const signature = createHmac("sha256", secret).update(body).digest("hex");
  return isSameSecret((headers.get("x-signature") ?? "").toLowerCase(), `sha256=${signature}`);
}

/** Refuses a forged report, and counts it as a guess of this address. */
export async function refuseForged(address: string): Promise<never> {
  await countGuess(address);
  throw new CallError(401, "The signature is invalid");
}
