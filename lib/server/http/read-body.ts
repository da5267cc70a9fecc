import { CallError } from "./call-error";

const maxCallBytes = 32 * 1024;
const maxMilliseconds = 10_000;

const tooLarge = () => new CallError(413, "The request is too large");

/** Reads a body within limits of size and time, which `request.json()` does not have. */
export async function readBody({ headers, body }: Request, maxBytes = maxCallBytes): Promise<Uint8Array> {
  if (Number(headers.get("content-length")) > maxBytes) throw tooLarge();
  if (!body) return new Uint8Array();
  const reader = body.getReader();
  let timer: NodeJS.Timeout | undefined;
  const stalled = new Promise<never>((_, reject) => {
    const tooSlow = new CallError(408, "Your answers took too long to reach us. Please try again.");
    timer = setTimeout(() => reject(tooSlow), maxMilliseconds);
  });
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for (;;) {
      const { done, value } = await Promise.race([reader.read(), stalled]);
      if (done) return Buffer.concat(chunks);
      size += value.byteLength;
      if (size > maxBytes) throw tooLarge();
      chunks.push(value);
    }
  } catch (error) {
    // Discards the rest, because the next request on the connection waits behind it. Not awaited, because the sender may have
    // stalled. Node's time limit for a request cuts off one that goes on.
    reader.releaseLock();
    void body.pipeTo(new WritableStream()).catch(() => {});
    throw error instanceof CallError ? error : new CallError(400, "The request was cut off");
  } finally {
    clearTimeout(timer);
  }
}

const isOfType = ({ headers }: Request, type: string) =>
  headers.get("content-type")?.split(";", 1)[0]?.trim().toLowerCase() === type;

/** Reads the JSON of a POST. Refuses other types (415), large (413), stalled (408) and malformed (400) bodies. */
export async function readJson(request: Request, maxBytes = maxCallBytes) {
  if (!isOfType(request, "application/json")) throw new CallError(415, "Send the request as application/json");
  const bytes = await readBody(request, maxBytes);
  return { bytes, body: parseJson(bytes) };
}

export async function readJsonObject(request: Request): Promise<Record<string, unknown>> {
  return objectIn((await readJson(request)).body);
}

/** Reads a POST that is a form or a JSON object. A signature may cover the bytes. Refuses what readJsonObject refuses. */
export async function readFields(request: Request): Promise<{ body: Uint8Array; fields: Record<string, unknown> }> {
  const isForm = isOfType(request, "application/x-www-form-urlencoded");
  if (!isForm && !isOfType(request, "application/json"))
    throw new CallError(415, "Send the request as application/json or as a form");
  const body = await readBody(request);
  if (!isForm) return { body, fields: objectIn(parseJson(body)) };
  return { body, fields: Object.fromEntries(new URLSearchParams(new TextDecoder().decode(body))) };
}

function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    // The parser's own message quotes the body, so it is dropped.
    throw new CallError(400, "The request is not valid JSON");
  }
}

function objectIn(body: unknown): Record<string, unknown> {
  if (typeof body === "object" && body !== null && !Array.isArray(body)) return body as Record<string, unknown>;
  throw new CallError(400, "The request must be a JSON object");
}
