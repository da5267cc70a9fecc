import { expect, same } from "@/__tests__/lab/promises/support/expect";
import { promise, type World } from "@/__tests__/lab/promises/support/world";
import { invited } from "@/__tests__/support/invited";
import { allCalls, call, send } from "@/__tests__/support/processes/call";
import { sendText } from "@/__tests__/support/processes/send-alone";

const requiredHeaders: Record<string, RegExp> = {
  "content-security-policy": /default-src '(self|none)'.*frame-ancestors 'none'/,
  "strict-transport-security": /max-age=\d{8}/,
  "x-content-type-options": /^nosniff$/,
  "referrer-policy": /^no-referrer$/,
  "cross-origin-opener-policy": /^same-origin$/,
  "cross-origin-resource-policy": /^same-origin$/,
  "permissions-policy": /camera=\(\)/,
  "x-robots-tag": /noindex/,
};

const isFile = (path: string) => /^[^?]*\.\w+$/.test(path);

function check(path: string, status: number, headers: Headers): void {
  expect(status < 500, `${path} was answered ${status}`);
  for (const [name, pattern] of Object.entries(requiredHeaders))
    expect(pattern.test(headers.get(name) ?? ""), `${path} (${status}) has ${name}: ${headers.get(name)}`);
  if (!isFile(path)) expect(headers.get("cache-control")?.includes("no-store"), `${path} (${status}) may be stored`);
  expect(!headers.has("x-powered-by"), `${path} says what it is powered by`);
  const allowed = [...headers.keys()].filter((name) => name.startsWith("access-control-"));
  same(allowed, [], `CORS headers of ${path}`);
}

const paths = [
  ...["/", "/landing", "/home", "/review&submit", "/review%26submit", "/submit-success", "/un-authorized", "/stop"],
  ...["/nowhere", "/home/", "/%ff", "/?token=abc&source=ba", "/icon.svg", "/robots.txt", "/_next/static/nowhere.js"],
  ...["/api", "/api/nowhere", "/api/health", "/api/v1/user/submit/", "/api/messages/stop?code=abc"],
  "/_next/image?url=/icon.svg&w=64&q=75",
];

/** Sends any method, because fetch refuses some, such as TRACE. */
async function raw(app: World["app"], method: string, path: string): Promise<{ status: number; headers: Headers }> {
  const text = await sendText(app, `${method} ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n`);
  const [first = "", ...lines] = (text.split("\r\n\r\n")[0] ?? "").split("\r\n");
  const entries = lines.map((line): [string, string] => [line.split(":")[0] ?? "", line.replace(/^[^:]*: ?/, "")]);
  return { status: Number(first.split(" ")[1]), headers: new Headers(entries) };
}

/** Expects that a page restored from the back-forward cache verifies its token again. */
async function backFromMemory({ app, device, sql }: World): Promise<void> {
  const { token, id } = await invited({ firstName: "Ada" });
  const page = await (await device()).newPage();
  await page.goto(`${app.url}/?token=${token}&source=ba`);
  await page.goto(`${app.url}/home`);
  await page.getByLabel("Full name", { exact: true }).waitFor();
  await page.goto("about:blank");
  await sql(`UPDATE links SET "revokedAt" = now() WHERE "applicationId" = $1`, [id]);
  await page.goBack();
  await page.getByRole("heading", { name: "Unauthorized Access" }).waitFor({ timeout: 10_000 });
}

promise(19, async (world) => {
  const { app } = world;
  const { token } = await invited();
  let count = 0;
  const note = (path: string, { status, headers }: { status: number; headers: Headers }) => {
    check(path, status, headers);
    count += 1;
  };
  for (const path of paths) {
    note(path, await send(app, path, {}));
    for (const method of ["HEAD", "OPTIONS", "TRACE", "PUT", "DELETE"]) note(path, await raw(app, method, path));
  }
  for (const name of allCalls) {
    const path = `/api/v1/user/${name}`;
    note(path, await call(app, name, { token, data: {} }));
    note(path, await call(app, name, { token: "wrong" }));
    note(path, await send(app, path, { method: "POST", body: "{" }));
    for (const method of ["GET", "HEAD", "OPTIONS", "TRACE", "PATCH"]) {
      const response = await raw(app, method, path);
      same([response.status, response.headers.get("allow")], [405, "POST"], `${method} of ${path}`);
      note(path, response);
    }
  }
  await backFromMemory(world);
  return `${count} answers (pages, calls, redirects, 404, 405, image, static; 8 methods) with all ${Object.keys(requiredHeaders).length} headers, none stored but files, no CORS header, no X-Powered-By; back in the browser verifies again`;
});
