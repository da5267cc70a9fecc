import "server-only";
import type { IncomingMessage, ServerResponse } from "node:http";

/** Set by this process on every page request; what a client sends under this name is overwritten. */
const header = "x-response-number";

interface Responses {
  last: number;
  open: Map<string, ServerResponse>;
}

// Kept on the process: Next bundles the instrumentation, which notes a response, and the pages apart.
const kept = globalThis as { rentAdvanceResponses?: Responses };

function responses(): Responses {
  kept.rentAdvanceResponses ??= { last: 0, open: new Map() };
  return kept.rentAdvanceResponses;
}

/** Lets a page find its response again, since Next gives pages no way to set a status. */
export function noteResponse(request: IncomingMessage, response: ServerResponse): void {
  const all = responses();
  all.last += 1;
  const number = String(all.last);
  request.headers[header] = number;
  all.open.set(number, response);
  response.once("close", () => all.open.delete(number));
}

/** Those that are not answered to the end yet. */
export function openResponses(): ServerResponse[] {
  return [...responses().open.values()];
}

/** Answers the page that is being rendered with 429, whatever status Next means to give it. */
export function refusePage(headers: Headers, retryAfterSeconds: number): void {
  const response = responses().open.get(headers.get(header) ?? "");
  if (!response || response.headersSent) return;
  response.setHeader("Retry-After", String(retryAfterSeconds));
  const { writeHead } = response;
  response.writeHead = (_status: number, ...rest: []) => writeHead.call(response, 429, ...rest);
}
