import { type Handoff, readHandoff } from "@/lib/domain/handoff";
import type { ApplicationRow } from "@/lib/server/db/application-row";
import { withDeadline } from "@/lib/server/db/client";
import { readByToken } from "@/lib/server/links/find-by-token";
import { CallError } from "./call-error";
import { clientAddress } from "./client-address";
import { countGuess } from "./limits";
import { type CallLine, errorForLog, logCall, millisecondsSince } from "./log";

/** What the server knows about the visitor when it renders a page. If unknown, the browser verifies its stored token. */
export type Arrival =
  | { state: "verified"; row: ApplicationRow; isOpened: boolean; keep: Handoff & { source: string } }
  | { state: "refused"; token: string }
  | { state: "unknown"; keep: Handoff | null };

/** Verifies the handoff that proxy.ts forwarded. If the database is unavailable, the browser has to verify the token. */
export async function resolveArrival(headers: Headers): Promise<Arrival> {
  const handoff = readHandoff(headers.get("x-handoff"));
  const token = handoff?.token;
  if (!token) return { state: "unknown", keep: handoff };
  const address = clientAddress(headers);
  const started = performance.now();
  const log = (line: Partial<CallLine>) =>
    logCall({ call: "page", status: 200, milliseconds: millisecondsSince(started), address, ...line });
  try {
    const access = await withDeadline(() => readByToken(token));
    if (access) {
      const { row, isOpened } = access;
      log({ reference: row.reference });
      // If the link has no source, the application's source replaces one that an older link left in localStorage.
      return { state: "verified", row, isOpened, keep: { ...handoff, source: handoff.source ?? row.source } };
    }
    // Pages and calls with a wrong token share one limit. A Next page cannot set its status, so only the log shows the 429.
    const status = await countGuess(address).then(
      () => 200,
      (error) => (error instanceof CallError ? 429 : 200),
    );
    log({ refused: "link", status });
    return { state: "refused", token };
  } catch (error) {
    log({ error: errorForLog(error) });
    return { state: "unknown", keep: handoff };
  }
}
