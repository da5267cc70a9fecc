import "server-only";
import { type Handoff, readHandoff } from "@/lib/domain/handoff";
import { findByToken } from "@/lib/server/access/find-by-token";
import type { ApplicationRow } from "@/lib/server/database/application-row";
import { inTime } from "@/lib/server/database/in-time";
import { clientAddress } from "./client-address";
import { countAgainst } from "./limits";

/** How a page begins: verified here, refused here, or for the browser to find out from what it has stored. */
export type Arrival =
  | { state: "verified"; row: ApplicationRow; keep: Handoff }
  | { state: "refused"; token: string }
  | { state: "unknown"; keep: Handoff | null };

/** Reads what proxy.ts forwarded from the link and verifies it. A database that is away leaves that to the browser. */
export async function arrivalOf(headers: Headers): Promise<Arrival> {
  const handoff = readHandoff(headers.get("x-handoff"));
  const token = handoff?.token;
  if (!token) return { state: "unknown", keep: handoff };
  const address = clientAddress(headers);
  try {
    const access = await inTime(() => findByToken(token, address));
    if (access) {
      const { row } = access;
      // A link without a source leaves the application's own in force, whatever an older link has stored.
      return { state: "verified", row, keep: { ...handoff, source: handoff.source ?? row.source } };
    }
    await countAgainst("guesses", address).catch(() => {});
    return { state: "refused", token };
  } catch {
    return { state: "unknown", keep: handoff };
  }
}
