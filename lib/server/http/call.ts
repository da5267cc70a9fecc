import { randomUUID } from "node:crypto";
import { check, type Schema } from "@/lib/schemas/check";
import { withDeadline } from "@/lib/server/db/client";
import { isDatabaseUnavailable, retryOnDeadlock } from "@/lib/server/db/errors";
import { type Access, findByToken } from "@/lib/server/links/find-by-token";
import { currentSettings } from "@/lib/server/settings";
import { CallError, type Details, databaseUnavailable, invalidAnswers, unknownToken } from "./call-error";
import { clientAddress } from "./client-address";
import { warnOfShortForwarding } from "./forwarded-warning";
import { countAgainst, countGuess } from "./limits";
import { errorForLog, logCall, millisecondsSince } from "./log";
import { readJsonObject } from "./read-body";

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
  /** Whether a page of another site may make the call. */
  anySite?: true;
}

export interface Context {
  requestId: string;
  address: string;
  reference?: string;
  /** Set if an earlier request with the same Idempotency-Key got this response. Stripe's API has the same header. */
  isReplayed?: true;
}

/** The route handlers of a call. Any other method gets 405 in the same envelope. */
export function envelopedCall(
  declaration: Declaration,
  perform: (request: Request, context: Context) => Promise<unknown>,
) {
  const { name, method = "POST", requireCall, success, failure, anySite } = declaration;
  const handle = async (request: Request) => {
    const started = performance.now();
    const context: Context = { requestId: randomUUID(), address: clientAddress(request.headers) };
    warnOfShortForwarding(request.headers);
    const attempt = async () => {
      await requireCall?.();
      // Next answers HEAD with the handler of GET.
      if (request.method !== method && !(method === "GET" && request.method === "HEAD"))
        throw new CallError(405, `Only ${method} is allowed`, { headers: { allow: method } });
      if (!anySite && isCrossSite(request.headers)) throw new CallError(403, "Cross-site requests are not allowed");
      return perform(request, context);
    };
    const { status, body, details } = await attempt().then(
      (data) => {
        const details: Details = {};
        return { status: success?.status ?? 200, body: { success: true, message: success?.message, data }, details };
      },
      (error) => refusal(error, failure),
    );
    const { errors, fields = errors && Object.keys(errors), cause } = details;
    const error = cause === undefined ? undefined : errorForLog(cause);
    logCall({ call: name, status, milliseconds: millisecondsSince(started), ...context, fields, error });
    const replayed = context.isReplayed && { "idempotent-replayed": "true" };
    const headers = { "cache-control": "no-store", "x-request-id": context.requestId, ...replayed, ...details.headers };
    return Response.json(body, { status, headers });
  };
  return { POST: handle, GET: handle, PUT: handle, PATCH: handle, DELETE: handle, OPTIONS: handle };
}

/** Whether a page of another site makes the call. Safari before 16.4 says so only with the Origin header. */
function isCrossSite(headers: Headers): boolean {
  const site = headers.get("sec-fetch-site");
  const origin = headers.get("origin");
  if (site !== null || origin === null) return site === "cross-site";
  const ownHosts = [headers.get("host"), headers.get("x-forwarded-host"), new URL(currentSettings().appUrl).host];
  return !ownHosts.includes(origin.replace(/^https?:\/\//, ""));
}

/** The response to an error. An unexpected one gets the call's own message. */
function refusal(thrown: unknown, failure: string) {
  const error = isDatabaseUnavailable(thrown) ? databaseUnavailable(thrown) : thrown;
  const { status, message, details } =
    error instanceof CallError ? error : new CallError(500, failure, { cause: error });
  return { status, body: { success: false, message, errors: details.errors, data: details.data }, details };
}

/** Returns the parsed value. Throws 422 with a message for each invalid field. */
export function validated<T>(schema: Schema<T>, value: unknown): T {
  const { data, errors } = check(schema, value);
  if (errors) throw invalidAnswers(errors);
  return data;
}

/** A call with the application and the link of its verified token. */
export interface VerifiedCall extends Access {
  data: unknown;
  address: string;
  userAgent: string;
}

interface UserCall extends Pick<Declaration, "name" | "failure"> {
  /** Whether calls count against the limit of saves per application. */
  saves?: boolean;
  action(call: VerifiedCall): unknown;
}

/** The route handlers of a call on the application that its token belongs to. */
export function userCall({ saves, action, ...declaration }: UserCall) {
  return envelopedCall(declaration, async (request, context) => {
    const { token, data } = await readJsonObject(request);
    const { address } = context;
    // Node accepts C1 control characters in headers, and a terminal would interpret them.
    const userAgent = (request.headers.get("user-agent") ?? "").slice(0, 500).replace(/\p{Cc}/gu, "");
    const act = async (signal: AbortSignal) => {
      const access = await findByToken(token, address, userAgent);
      if (!access) {
        await countGuess(address);
        throw unknownToken();
      }
      context.reference = access.row.reference;
      if (saves) await countAgainst("saves", access.row.id);
      signal.throwIfAborted();
      // A process that was frozen would otherwise overwrite what the applicant has saved through another one since.
      if (request.signal.aborted) throw new CallError(408, "The caller has closed the connection");
      return action({ ...access, data, address, userAgent });
    };
    return retryOnDeadlock(() => withDeadline(act));
  });
}
