export interface Details {
  /** A message for each field that was refused. */
  errors?: Record<string, string>;
  /** The refused fields as they are logged, if callers may choose the names in `errors`. */
  fields?: string[];
  data?: unknown;
  headers?: Record<string, string>;
  /** Logged as name and code; never sent to the client. */
  cause?: unknown;
}

/** Thrown to refuse a call: a status and a sentence for the person. */
export class CallError extends Error {
  override name = "CallError";

  constructor(
    readonly status: number,
    message: string,
    readonly details: Details = {},
  ) {
    super(message, { cause: details.cause });
  }
}

/** One response for unknown, expired and revoked tokens, so that a guesser learns nothing from it. */
export function unknownToken(): CallError {
  return new CallError(401, "Token verification failed");
}

export function alreadySubmitted(): CallError {
  return new CallError(409, "You've already submitted this application");
}

/** `step` is the first incomplete step, if the call sends several. */
export function invalidAnswers(errors: Record<string, string>, step?: number): CallError {
  return new CallError(422, "Please check the marked answers", { errors, data: step && { step } });
}

export function databaseUnavailable(cause: unknown): CallError {
  return new CallError(503, "We can't reach our records right now", { headers: { "retry-after": "5" }, cause });
}
