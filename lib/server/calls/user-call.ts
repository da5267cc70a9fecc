import "server-only";
import { randomUUID } from "node:crypto";
import type { Envelope } from "@/lib/schemas/envelope";
import { findByToken } from "@/lib/server/access/find-by-token";
import type { ApplicationRow } from "@/lib/server/database/application-row";
import { isDatabaseAway } from "@/lib/server/database/failure";
import { inTime } from "@/lib/server/database/in-time";
import { CallError, databaseAway, unknownToken } from "./call-error";
import { clientAddress } from "./client-address";
import { countAgainst, countGuess } from "./limits";
import { logCall, millisecondsSince, nameOf } from "./log";
import { readJsonObject } from "./read-body";

/** What an action gets, once the token is verified. */
export interface Visit {
  row: ApplicationRow;
  linkId: string;
  data: unknown;
  address: string;
  userAgent: string;
}

interface Declaration {
  /** The call's name in the log. */
  name: string;
  /** The message of an unexpected error (specification, section 8). */
  failure: string;
  /** Counted against the limit of saves per application. */
  saves?: boolean;
  action(visit: Visit): unknown;
}

interface Outcome {
  status: number;
  body: Envelope;
  retryAfterSeconds?: number;
  cause?: unknown;
}

/** The handlers of one call: the POST itself, and an answer in the same envelope for every other method. */
export function userCall(declaration: Declaration) {
  const answer = (run: (request: Request, noted: Noted) => Promise<unknown>) => async (request: Request) => {
    const noted: Noted = {
      requestId: randomUUID(),
      started: performance.now(),
      address: clientAddress(request.headers),
    };
    const outcome = await run(request, noted).then(succeeded, (error) => failed(error, declaration.failure));
    logCall({
      call: declaration.name,
      status: outcome.status,
      milliseconds: millisecondsSince(noted.started),
      requestId: noted.requestId,
      reference: noted.reference,
      address: noted.address,
      fields: outcome.body.errors ? Object.keys(outcome.body.errors) : undefined,
      error: outcome.cause === undefined ? undefined : nameOf(outcome.cause),
    });
    return Response.json(outcome.body, { status: outcome.status, headers: headersOf(outcome, noted.requestId) });
  };
  const refuse = answer(async () => {
    throw new CallError(405, "This call takes POST only");
  });
  const POST = answer((request, noted) => perform(declaration, request, noted));
  return { POST, GET: refuse, PUT: refuse, PATCH: refuse, DELETE: refuse, OPTIONS: refuse };
}

/** SQLSTATE deadlock_detected. */
const deadlock = "40P01";

interface Noted {
  requestId: string;
  started: number;
  address: string;
  reference?: string;
}

async function perform(declaration: Declaration, request: Request, noted: Noted): Promise<unknown> {
  if (request.headers.get("sec-fetch-site") === "cross-site")
    throw new CallError(403, "This call is not for other sites");
  const body = await readJsonObject(request);
  const attempt = () => inTime((signal) => act(declaration, request, body, noted, signal));
  // A call and a migration can deadlock. Postgres rolls one back whole, so retry once.
  return attempt().catch((error) => (nameOf(error)?.code === deadlock ? attempt() : Promise.reject(error)));
}

async function act(
  { saves, action }: Declaration,
  request: Request,
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
  const userAgent = (request.headers.get("user-agent") ?? "").slice(0, 500);
  return action({ ...access, data: body.data, address, userAgent });
}

function succeeded(data: unknown): Outcome {
  return { status: 200, body: { success: true, ...(data === undefined ? {} : { data }) } };
}

function failed(error: unknown, failure: string): Outcome {
  const known = isDatabaseAway(error) ? databaseAway(error) : error;
  if (!(known instanceof CallError)) return { status: 500, body: { success: false, message: failure }, cause: error };
  const { errors, data, retryAfterSeconds, cause } = known.details;
  return {
    status: known.status,
    body: { success: false, message: known.message, errors, data },
    retryAfterSeconds,
    cause,
  };
}

function headersOf({ status, retryAfterSeconds }: Outcome, requestId: string): HeadersInit {
  return {
    "cache-control": "no-store",
    "x-request-id": requestId,
    ...(status === 405 ? { allow: "POST" } : {}),
    ...(retryAfterSeconds ? { "retry-after": String(retryAfterSeconds) } : {}),
  };
}
