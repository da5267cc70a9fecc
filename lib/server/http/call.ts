import { randomUUID } from "node:crypto";
import { check, type Messages, type Schema } from "@/lib/schemas/check";
import type { ApplicationRow } from "@/lib/server/db/application-row";
import { withDeadline } from "@/lib/server/db/client";
import { isDatabaseUnavailable, retryOnDeadlock } from "@/lib/server/db/errors";
import { findByToken } from "@/lib/server/links/find-by-token";
import { CallError, databaseUnavailable, invalidAnswers, unknownToken } from "./call-error";
import { clientAddress } from "./client-address";
import { countAgainst, countGuess } from "./limits";
import { logCall, millisecondsSince, nameOf } from "./log";
import { readJsonObject } from "./read-body";

interface Envelope {
  success: boolean;
  data?: unknown;
  message?: string;
  errors?: Messages;
}

interface Declaration {
  /** The call's name in the log. */
  name: string;
  /** The message of an unexpected error (specification, section 8). */
  failure: string;
  /** The status and message of a success, if they are not a plain 200. */
  success?: { status: number; message?: string };
  /** POST if absent. */
  method?: "GET";
  /** Runs before everything else, even before the method is checked. Throws if the call does not exist. */
  requireCall?: () => Promise<void>;
}

interface Context {
  requestId: string;
  address: string;
  reference?: string;
}

/** The route handlers of a call. Any method but the call's own is answered with 405 in the same envelope. */
export function envelopedCall(
  declaration: Declaration,
  perform: (request: Request, context: Context) => Promise<unknown>,
) {
  const handle = (run: typeof perform) => async (request: Request) => {
    const started = performance.now();
    const context: Context = { requestId: randomUUID(), address: clientAddress(request.headers) };
    const attempt = async () => {
      await declaration.requireCall?.();
      return run(request, context);
    };
    const outcome = await attempt().then(
      (data) => succeeded(data, declaration),
      (error) => failed(error, declaration),
    );
    const { status, body, fields, cause } = outcome;
    logCall({
      call: declaration.name,
      status,
      milliseconds: millisecondsSince(started),
      ...context,
      fields,
      error: cause === undefined ? undefined : nameOf(cause),
    });
    return Response.json(body, { status, headers: headersOf(outcome, context) });
  };
  const { method = "POST" } = declaration;
  const refuse = handle(async () => {
    throw new CallError(405, `Only ${method} is allowed`, { headers: { allow: method } });
  });
  const act = handle(perform);
  return {
    POST: method === "POST" ? act : refuse,
    GET: method === "GET" ? act : refuse,
    PUT: refuse,
    PATCH: refuse,
    DELETE: refuse,
    OPTIONS: refuse,
  };
}

interface Outcome {
  status: number;
  body: Envelope;
  fields?: string[];
  retryAfterSeconds?: number;
  headers?: Record<string, string>;
  cause?: unknown;
}

function succeeded(data: unknown, { success }: Declaration): Outcome {
  return { status: success?.status ?? 200, body: { success: true, message: success?.message, data } };
}

function failed(error: unknown, { failure }: Declaration): Outcome {
  const mapped = isDatabaseUnavailable(error) ? databaseUnavailable(error) : error;
  if (!(mapped instanceof CallError)) return { status: 500, body: { success: false, message: failure }, cause: error };
  const { errors, data, retryAfterSeconds, headers, cause } = mapped.details;
  const { fields = errors && Object.keys(errors) } = mapped.details;
  return {
    status: mapped.status,
    body: { success: false, message: mapped.message, errors, data },
    fields,
    retryAfterSeconds,
    headers,
    cause,
  };
}

function headersOf({ retryAfterSeconds, headers }: Outcome, { requestId }: Context): HeadersInit {
  return {
    "cache-control": "no-store",
    "x-request-id": requestId,
    ...headers,
    ...(retryAfterSeconds ? { "retry-after": String(retryAfterSeconds) } : {}),
  };
}

export function refuseOtherSites({ headers }: Request): void {
  if (headers.get("sec-fetch-site") === "cross-site") throw new CallError(403, "Cross-site requests are not allowed");
}

/** Returns the parsed value. Throws 422 with a message for each invalid field. */
export function validated<T>(schema: Schema<T>, value: unknown): T {
  const { data, errors } = check(schema, value);
  if (errors) throw invalidAnswers(errors);
  return data;
}

export interface Visit {
  row: ApplicationRow;
  linkId: string;
  data: unknown;
  address: string;
  userAgent: string;
}

interface UserCall extends Declaration {
  /** Whether calls count against the limit of saves per application. */
  saves?: boolean;
  action(visit: Visit): unknown;
}

/** The route handlers of a call on the application that its token belongs to. */
export function userCall(declaration: UserCall) {
  return envelopedCall(declaration, async (request, context) => {
    refuseOtherSites(request);
    const body = await readJsonObject(request);
    // Node accepts C1 control characters in headers, and a terminal would interpret them.
    const userAgent = (request.headers.get("user-agent") ?? "").slice(0, 500).replace(/\p{Cc}/gu, "");
    return retryOnDeadlock(() => withDeadline((signal) => act(declaration, body, userAgent, context, signal)));
  });
}

async function act(
  { saves, action }: UserCall,
  { token, data }: Record<string, unknown>,
  userAgent: string,
  context: Context,
  signal: AbortSignal,
): Promise<unknown> {
  const { address } = context;
  const access = await findByToken(token, address, userAgent);
  if (!access) {
    await countGuess(address);
    throw unknownToken();
  }
  context.reference = access.row.reference;
  if (saves) await countAgainst("saves", access.row.id);
  signal.throwIfAborted();
  return action({ ...access, data, address, userAgent });
}
