import "server-only";
import type { ApplicationRow } from "@/lib/server/db/application-row";
import { withDeadline } from "@/lib/server/db/client";
import { findByToken } from "@/lib/server/links/find-by-token";
import { unknownToken } from "./call-error";
import type { CallRequest } from "./call-request";
import { type Declaration, envelopedCall, type Noted, refuseOtherSites } from "./enveloped-call";
import { countAgainst, countGuess } from "./limits";
import { nameOf } from "./log";
import { readJsonObject } from "./read-body";

/** What an action gets, once the token is verified. */
export interface Visit {
  row: ApplicationRow;
  linkId: string;
  data: unknown;
  address: string;
  userAgent: string;
}

interface UserCall extends Declaration {
  /** Counted against the limit of saves per application. */
  saves?: boolean;
  action(visit: Visit): unknown;
}

/** A call on the application of its token. */
export function userCall(declaration: UserCall) {
  return envelopedCall<CallRequest>(declaration, (request, noted) => perform(declaration, request, noted));
}

/** SQLSTATE deadlock_detected. */
const deadlock = "40P01";

async function perform(declaration: UserCall, request: CallRequest, noted: Noted): Promise<unknown> {
  refuseOtherSites(request);
  const body = await readJsonObject(request);
  const attempt = () => withDeadline((signal) => act(declaration, request, body, noted, signal));
  // A call and a migration can deadlock. Postgres rolls one back whole, so retry once.
  return attempt().catch((error) => (nameOf(error)?.code === deadlock ? attempt() : Promise.reject(error)));
}

async function act(
  { saves, action }: UserCall,
  request: CallRequest,
  body: Record<string, unknown>,
  noted: Noted,
  signal: AbortSignal,
): Promise<unknown> {
  const { address } = noted;
  const access = await findByToken(body.token, address);
  if (!access) {
    await countGuess(address);
    throw unknownToken();
  }
  noted.reference = access.row.reference;
  if (saves) await countAgainst("saves", access.row.id);
  signal.throwIfAborted();
  // Node lets C1 control characters pass, which a terminal obeys.
  const userAgent = (request.headers.get("user-agent") ?? "").slice(0, 500).replace(/\p{Cc}/gu, "");
  return action({ ...access, data: body.data, address, userAgent });
}
