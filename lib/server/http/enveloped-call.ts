import "server-only";
import { randomUUID } from "node:crypto";
import type { Envelope } from "@/lib/schemas/envelope";
import { isDatabaseAway } from "@/lib/server/db/errors";
import { CallError, databaseAway } from "./call-error";
import type { CallRequest } from "./call-request";
import { clientAddress } from "./client-address";
import { logCall, millisecondsSince, nameOf } from "./log";

export interface Declaration {
  /** The call's name in the log. */
  name: string;
  /** The message of an unexpected error (specification, section 8). */
  failure: string;
  /** How it answers where there is more to say than 200. */
  success?: { status: number; message: string };
}

/** What is known of a request by the time that it is logged. */
export interface Noted {
  requestId: string;
  started: number;
  address: string;
  reference?: string;
}

interface Outcome {
  status: number;
  body: Envelope;
  retryAfterSeconds?: number;
  cause?: unknown;
}

/** The handlers of one call: the POST itself, and an answer in the same envelope for every other method. */
export function envelopedCall<R extends CallRequest = Request>(
  { name, failure, success }: Declaration,
  perform: (request: R, noted: Noted) => Promise<unknown>,
) {
  const answer = (run: typeof perform) => async (request: R) => {
    const noted: Noted = {
      requestId: randomUUID(),
      started: performance.now(),
      address: clientAddress(request.headers),
    };
    const outcome = await run(request, noted).then(
      (data) => succeeded(data, success),
      (error) => failed(error, failure),
    );
    logCall({
      call: name,
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
  return { POST: answer(perform), GET: refuse, PUT: refuse, PATCH: refuse, DELETE: refuse, OPTIONS: refuse };
}

export function refuseOtherSites({ headers }: CallRequest): void {
  if (headers.get("sec-fetch-site") === "cross-site") throw new CallError(403, "This call is not for other sites");
}

function succeeded(data: unknown, { status = 200, message }: Partial<Declaration["success"]> = {}): Outcome {
  return { status, body: { success: true, message, data } };
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
