import { expect } from "@playwright/test";
import { test } from "@/__tests__/support/journey";
import { sendText } from "@/__tests__/support/processes/send-alone";

const raw = (text: string) => sendText({ url: process.env.APP_URL ?? "" }, text);

const securityHeaders = [
  "Strict-Transport-Security: ",
  "X-Content-Type-Options: nosniff",
  "Referrer-Policy: no-referrer",
  "Content-Security-Policy: ",
  "Cache-Control: no-store",
];

const pagePaths = ["/", "/home", "/review&submit", "/nowhere", "/icon.svg", "/api/../home", "/api/%2e%2e/home"];

test.describe("A page allows GET and HEAD only", () => {
  for (const method of ["POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "PROPFIND"])
    test(`${method} is answered 405 before its body comes, and the connection ends`, async () => {
      const head = "HTTP/1.1\r\nHost: x\r\nContent-Length: 9000000\r\n\r\n";
      const answers = await Promise.all(pagePaths.map((path) => raw(`${method} ${path} ${head}`)));
      for (const [n, answer] of answers.entries()) {
        expect(answer, pagePaths[n]).toMatch(/^HTTP\/1\.1 405 /);
        expect(answer).toMatch(/\r\nallow: GET, HEAD\r\n/i);
        expect(answer).toMatch(/\r\nConnection: close\r\n/);
      }
    });

  test("a POST with Expect: 100-continue gets 405 instead of 100", async () => {
    const answer = await raw("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9000000\r\nExpect: 100-continue\r\n\r\n");
    expect(answer).toMatch(/^HTTP\/1\.1 405 /);
  });

  test("OPTIONS * gets 405, and GET * is not found", async () => {
    expect(await raw("OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n")).toMatch(/^HTTP\/1\.1 405 /);
    expect(await raw("GET * HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")).toMatch(/^HTTP\/1\.1 404 /);
  });

  test("calls reject other methods themselves", async ({ request }) => {
    const answer = await request.put("/api/v1/user/submit", { data: {} });
    expect([answer.status(), answer.headers().allow]).toEqual([405, "POST"]);
    for (const path of ["/api", "/api/v1/user/submit.json"])
      expect((await request.post(path, { data: {} })).status(), path).toBe(404);
    const other = await raw("PROPFIND /api/v1/user/submit HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
    expect(other).toMatch(/^HTTP\/1\.1 405 /);
  });
});

for (const [what, text, status] of [
  ["text that is not HTTP", "GARBAGE\r\n\r\n", 400],
  ["a request without a host", "GET / HTTP/1.1\r\nConnection: close\r\n\r\n", 400],
  [
    "two length headers, which a proxy may interpret differently",
    "POST /api/v1/user/submit HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    400,
  ],
  ["a header that is too long", `GET / HTTP/1.1\r\nHost: x\r\nX: ${"x".repeat(90_000)}\r\n\r\n`, 431],
] as const)
  test(`${what}: ${status}, with every security header`, async () => {
    const answer = await raw(text);
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    for (const header of securityHeaders) expect(answer).toContain(`\r\n${header}`);
  });

for (const [method, path] of [
  ["GET", "/"],
  ["GET", "/home?token=wrong"],
  ["POST", "/api/v1/user/verify-token"],
] as const)
  test(`${method} ${path} is answered the same if its target names another host`, async () => {
    const body = '{"token":"wrong"}';
    const ask = (target: string) =>
      raw(
        `${method} ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: application/json\r\n${
          method === "POST" ? `Content-Length: ${body.length}\r\n\r\n${body}` : "\r\n"
        }`,
      );
    const firstLineOf = (answer: string) => answer.split("\r\n", 1)[0];
    const [plain, withHost] = await Promise.all([ask(path), ask(`http://evil.example${path}`)]);
    expect(firstLineOf(withHost)).toBe(firstLineOf(plain));
    expect(withHost).toMatch(/^HTTP\/1\.1 [234]/);
    expect(withHost).not.toContain("evil");
  });

test("an address of more than 2 kB or 30 parameters gets 414, a call's in its envelope", async () => {
  const answerTo = (target: string, method = "GET") =>
    raw(`${method} ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
  const queries = { parameters: `?${"a&".repeat(30)}a`, bytes: `?${"x".repeat(2048)}` };
  const envelope = JSON.stringify({ success: false, message: "The address is too long" });
  for (const [what, query] of Object.entries(queries)) {
    for (const path of ["/", "/nowhere", "/icon.svg", "//"]) {
      const answer = await answerTo(path + query);
      expect(answer, what).toMatch(/^HTTP\/1\.1 414 /);
      for (const header of securityHeaders) if (path !== "/icon.svg") expect(answer).toContain(`\r\n${header}`);
    }
    for (const method of ["GET", "POST"])
      expect(await answerTo(`/api/v1/user/verify-token${query}`, method)).toContain(`\r\n\r\n${envelope}`);
  }
  expect(await answerTo(`/?${"a&".repeat(29)}a`)).toMatch(/^HTTP\/1\.1 200 /);
  expect(await answerTo(`/?${"x".repeat(2046)}`)).toMatch(/^HTTP\/1\.1 200 /);
});

test("a browser that sends 64 kB of cookies gets the page", async () => {
  const cookies = Array.from({ length: 64 }, (_, n) => `c${n}=${"x".repeat(1000)}`).join("; ");
  const answer = await raw(`GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nCookie: ${cookies}\r\n\r\n`);
  expect(answer).toMatch(/^HTTP\/1\.1 200 /);
});

test("an unknown expectation is ignored, so the response has every security header", async () => {
  const answer = await raw("GET /api/health HTTP/1.1\r\nHost: x\r\nConnection: close\r\nExpect: foo\r\n\r\n");
  expect(answer).toMatch(/^HTTP\/1\.1 200 /);
  for (const header of securityHeaders) expect(answer.toLowerCase()).toContain(`\r\n${header.toLowerCase()}`);
});

for (const path of ["user/verify-token", "user/submit-step-1", "user/fresh-link"])
  test(`the connection of a chunked body to ${path} that is too large stays usable`, async () => {
    const type = "Content-Type: application/json\r\nTransfer-Encoding: chunked";
    const chunks = `4000\r\n${"x".repeat(0x4000)}\r\n`.repeat(25);
    const next = "GET /api/health HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";
    const answer = await raw(`POST /api/v1/${path} HTTP/1.1\r\nHost: x\r\n${type}\r\n\r\n${chunks}0\r\n\r\n${next}`);
    expect(answer.match(/^HTTP\/1\.1 \d+/gm)).toEqual(["HTTP/1.1 413", "HTTP/1.1 200"]);
  });

test("a request to switch protocols gets the normal response", async () => {
  const upgrade = "HTTP/1.1\r\nHost: x\r\nConnection: close, Upgrade\r\nUpgrade: websocket\r\n\r\n";
  expect(await raw(`GET /nowhere ${upgrade}`)).toMatch(/^HTTP\/1\.1 404 /);
  expect(await raw(`GET /api/health ${upgrade}`)).toMatch(/^HTTP\/1\.1 200 /);
});

test("escapes that are not UTF-8 get 404, in pages and calls", async ({ request }) => {
  const paths = ["/%FF", "/%", "/api/%FF", "/api/v1/invitations/%FF", "/api/v1/invitations/%E0%A4%A"];
  for (const path of paths)
    expect(await raw(`GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`)).toMatch(/^HTTP\/1\.1 404 /);
  expect((await request.get("/api/%FF")).headers()["content-type"]).toMatch(/^application\/json/);
});

test("an internal header of Next does not keep a call from its handler", async ({ request }) => {
  const options = { data: { token: "wrong" }, maxRedirects: 0 };
  for (const name of ["x-middleware-prefetch", "rsc"]) {
    const answer = await request.post("/api/v1/user/verify-token", { ...options, headers: { [name]: "1" } });
    expect(answer.status()).toBe(401);
  }
});

test("a router state that cannot be parsed is ignored", async ({ request }) => {
  const deep = `${'["",{"a":'.repeat(400)}["",{}]${"}]".repeat(400)}`;
  const wrong = [
    "x",
    "[1,2]",
    "%FF",
    '["",{},["/home"]]',
    '["",{},null,"all"]',
    '["",{},null,null,0,"",1]',
    '["",{"a":1}]',
  ];
  for (const state of [...wrong, deep]) {
    const headers = { rsc: "1", "next-router-state-tree": state };
    expect((await request.get("/home?_rsc=1", { headers })).status()).toBe(200);
  }
});

test("a link with a slash after its path loses its token in the first redirect", async ({ request }) => {
  const answer = await request.get("/home/?token=wrong", { maxRedirects: 0 });
  expect([answer.status(), answer.headers().location]).toEqual([307, "/"]);
});

test("a page with a slash after its path leads to the path without it", async ({ request }) => {
  for (const [path, without] of [
    ["/landing/", "/landing"],
    ["/stop/?utm_source=sms", "/stop?utm_source=sms"],
  ] as const) {
    const answer = await request.get(path, { maxRedirects: 0 });
    expect([answer.status(), answer.headers().location]).toEqual([308, without]);
  }
});

test("an address that only resembles the icon's is handled as a page", async ({ request }) => {
  const answer = await request.get("/iconXsvg?token=T", { maxRedirects: 0 });
  expect([answer.status(), answer.headers().location]).toEqual([307, expect.stringMatching(/\/iconXsvg$/)]);
  expect((await request.get("/icon.svg")).status()).toBe(200);
});

test("a page reports blocked content, without the token", async ({ page, errors }) => {
  await page.goto("/un-authorized?utm_source=x");
  const reported = page.waitForRequest("**/api/csp-report");
  await page.evaluate(() => {
    document.body.insertAdjacentHTML("beforeend", '<img src="https://elsewhere.example/x.png">');
  });
  const request = await reported;
  expect(JSON.parse(request.postData() ?? "")["csp-report"]["effective-directive"]).toBe("img-src");
  expect((await request.response())?.status()).toBe(200);
  expect(errors.splice(0).join()).toContain("violates");
});

test("the server does not resize images", async ({ request }) => {
  expect((await request.get("/_next/image?url=%2Ficon.svg&w=64&q=75")).status()).toBe(404);
});

test("every text response names its charset", async ({ request }) => {
  const pages = ["/", "/un-authorized", "/nowhere", "/icon.svg"];
  const asked = [
    ...pages.map((path) => request.get(path)),
    ...["/home", "/un-authorized"].map((path) => request.get(`${path}?_rsc=1`, { headers: { rsc: "1" } })),
    request.post("/", { data: {} }),
    request.get("/api/metrics"),
  ];
  for (const answer of await Promise.all(asked))
    expect(answer.headers()["content-type"], answer.url()).toMatch(/^(application\/json|.*; ?charset=utf-8$)/i);
  // The header of a client-side navigation alone does not turn a file into page data.
  const icon = await request.get("/icon.svg", { headers: { rsc: "1" } });
  expect(icon.headers()["content-type"]).toMatch(/^image\/svg/);
});

test("the nonce of a page is 16 random bytes", async ({ request }) => {
  const nonces = new Set<string>();
  for (let visit = 0; visit < 3; visit += 1) {
    const policy = (await request.get("/un-authorized")).headers()["content-security-policy"] ?? "";
    const [, nonce = ""] = /'nonce-([^']+)'/.exec(policy) ?? [];
    expect(Buffer.from(nonce, "base64")).toHaveLength(16);
    nonces.add(nonce);
  }
  expect(nonces.size).toBe(3);
});
