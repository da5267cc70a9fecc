import { HttpResponse, http, type JsonBodyType } from "msw";
import { setupServer } from "msw/node";

interface Reply {
  status?: number;
  /** A string is sent as a page instead of JSON. */
  body?: JsonBodyType;
  headers?: Record<string, string>;
}

/** `cut off`: the connection ends in the middle of the response. */
export type FakeReply = Reply | "no network" | "cut off" | Promise<Reply>;

/** A fake API (MSW) with scripted responses, which records requests. */
export function fakeApi() {
  const server = setupServer();
  const calls: { path: string; body: { token: string; data: Record<string, unknown> } }[] = [];

  beforeAll(() => server.listen({ onUnhandledRequest: "error" }));
  beforeEach(() => {
    localStorage.clear();
    sessionStorage.clear();
    localStorage.setItem("auth_token", "token-of-a-test");
    calls.length = 0;
  });
  afterEach(() => server.resetHandlers());
  afterAll(() => server.close());

  /** Queues responses to one call, under /api/v1/user/ or by its whole path. The last response repeats. */
  function answers(path: string, ...replies: FakeReply[]): void {
    let asked = 0;
    server.use(
      http.post(new URL(path, `${window.location.origin}/api/v1/user/`).href, async ({ request }) => {
        calls.push({ path: path + new URL(request.url).search, body: (await request.json()) as never });
        const reply = await replies[Math.min(asked++, replies.length - 1)];
        if (!reply || reply === "no network") return HttpResponse.error();
        if (reply === "cut off")
          return new HttpResponse(new ReadableStream({ pull: (body) => body.error(new TypeError()) }));
        const { status = 200, body = { success: true }, headers } = reply;
        if (typeof body === "string") return HttpResponse.html(body, { status, headers });
        return HttpResponse.json(body, { status, headers });
      }),
    );
  }

  /** Lets a call wait for its response, which the returned function gives. Later calls get the further responses. */
  function holds(path: string, ...later: FakeReply[]): (reply: Reply) => void {
    let give = (_: Reply) => {};
    answers(path, new Promise<Reply>((resolve) => (give = resolve)), ...later);
    return (reply) => give(reply);
  }

  return { calls, answers, holds };
}
