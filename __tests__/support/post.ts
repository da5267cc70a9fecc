import { writeHandoff } from "@/lib/domain/handoff";
import { resolveArrival } from "@/lib/server/http/arrival";

type Handler = (request: Request) => Promise<Response>;

interface Sent {
  headers?: Record<string, string>;
  /** A raw body, instead of JSON. */
  raw?: BodyInit;
  path?: string;
  method?: string;
  signal?: AbortSignal;
}

/** The client address in these tests, which the server otherwise takes from the socket. */
export const home = "203.0.113.7";

export interface CallResponse {
  status: number;
  headers: Headers;
  body: { success: boolean; data?: Record<string, unknown>; message?: string; errors?: Record<string, string> };
}

/** Calls a route handler with a real Request. */
export async function post(handler: Handler, body?: unknown, sent: Sent = {}): Promise<CallResponse> {
  const headers = { "content-type": "application/json", "x-forwarded-for": home, ...sent.headers };
  const method = sent.method ?? "POST";
  const payload = method === "GET" ? undefined : (sent.raw ?? JSON.stringify(body));
  const request = new Request(`http://localhost${sent.path ?? "/api/v1/user/call"}`, {
    method,
    headers,
    body: payload,
    signal: sent.signal ?? null,
    ...(payload instanceof ReadableStream ? { duplex: "half" } : {}),
  });
  const response = await handler(request);
  return { status: response.status, headers: response.headers, body: await response.json() };
}

/** Opens a page with this token and source in the handoff, as after a link's redirect. Returns what the server knows. */
export function arrive(token: string | null, source: string | null = null, headers: Record<string, string> = {}) {
  const handoff = writeHandoff({ token, source });
  return resolveArrival(new Headers({ "x-forwarded-for": home, "x-handoff": handoff, ...headers }));
}
