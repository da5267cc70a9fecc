type Handler = (request: Request) => Promise<Response>;

interface Sent {
  headers?: Record<string, string>;
  /** The body as it goes over the wire, in place of JSON. */
  raw?: BodyInit;
  method?: string;
}

/** The address of a client in these tests; the server notes it from the socket. */
export const home = "203.0.113.7";

export interface Answer {
  status: number;
  headers: Headers;
  body: { success: boolean; data?: Record<string, unknown>; message?: string; errors?: Record<string, string> };
}

/** Sends a real Request to a route handler, as the form or anybody else would. */
export async function post(handler: Handler, body?: unknown, sent: Sent = {}): Promise<Answer> {
  const headers = { "content-type": "application/json", "x-socket-address": home, ...sent.headers };
  const method = sent.method ?? "POST";
  const payload = method === "GET" ? undefined : (sent.raw ?? JSON.stringify(body));
  const request = new Request("http://localhost/api/v1/user/call", {
    method,
    headers,
    body: payload,
    ...(payload instanceof ReadableStream ? { duplex: "half" } : {}),
  });
  const response = await handler(request);
  return { status: response.status, headers: response.headers, body: await response.json() };
}
