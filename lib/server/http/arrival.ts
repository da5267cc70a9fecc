import "server-only";
import { type Handoff, readHandoff } from "@/lib/domain/handoff";
import type { ApplicationRow } from "@/lib/server/db/application-row";
import { withDeadline } from "@/lib/server/db/client";
import { findByToken } from "@/lib/server/links/find-by-token";
import { CallError } from "./call-error";
import { clientAddress } from "./client-address";
import { countGuess } from "./limits";
import { type CallLine, logCall, millisecondsSince, nameOf } from "./log";

/** What the server knows of the visitor when it renders a page. If unknown, the browser verifies its stored token. */
export type Arrival =
  | { state: "verified"; row: ApplicationRow; keep: Handoff }
  | { state: "refused"; token: string }
  | { state: "unknown"; keep: Handoff | null };

/** Verifies the handoff that proxy.ts forwarded. While the database is away, the browser has to try again itself. */
export async function arrivalOf(headers: Headers): Promise<Arrival> {
  const handoff = readHandoff(headers.get("x-handoff"));
  const token = handoff?.token;
  if (!token) return { state: "unknown", keep: handoff };
  const address = clientAddress(headers);
  const started = performance.now();
  const log = (line: Partial<CallLine>) =>
    logCall({ call: "page", status: 200, milliseconds: millisecondsSince(started), address, ...line });
  try {
    const access = await withDeadline(() => findByToken(token, address, headers.get("user-agent") ?? ""));
    if (access) {
      const { row } = access;
      log({ reference: row.reference });
      // If the link has no source, the application's replaces one that an older link left in localStorage.
      return { state: "verified", row, keep: { ...handoff, source: handoff.source ?? row.source } };
    }
    log({ refused: "link", status: (await isOverLimit(address)) ? 429 : 200 });
    return { state: "refused", token };
  } catch (error) {
    log({ error: nameOf(error) });
    return { state: "unknown", keep: handoff };
  }
}

/** Pages with a wrong token count with the calls. Next gives a page no way to set its status, so only the log has the 429. */
function isOverLimit(address: string): Promise<boolean> {
  return countGuess(address).then(
    () => false,
    (error) => error instanceof CallError,
  );
}
