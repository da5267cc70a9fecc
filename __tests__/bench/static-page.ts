import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import type { App } from "@/__tests__/support/processes/app";

export interface StaticPage {
  url: string;
  end(): void;
}

async function textOf(url: string): Promise<string> {
  const answer = await fetch(url, { headers: { "user-agent": "bench" } });
  return answer.text();
}

/** The landing's HTML and CSS as static files, without scripts or rendering: the floor for the landing. */
export async function startStaticPage(app: App, link: string): Promise<StaticPage> {
  const arrived = await fetch(link, { redirect: "manual" });
  const cookie = arrived.headers.getSetCookie()[0]?.split(";")[0] ?? "";
  const page = await fetch(new URL("/", app.url), { headers: { cookie } });
  const html = (await page.text()).replace(/<script.*?<\/script>|<link[^>]*as="script"[^>]*>/gs, "");
  const files = new Map([["/", { type: "text/html; charset=utf-8", body: gzipSync(html) }]]);
  for (const [, path = ""] of html.matchAll(/<link rel="stylesheet" href="([^"?]+)/g))
    files.set(path, { type: "text/css", body: gzipSync(await textOf(app.url + path)) });
  if (!html.includes("/home") || files.size < 2) throw new Error("That is not the landing.");
  const server = createServer((request, answer) => {
    const file = files.get(request.url?.split("?")[0] ?? "");
    if (!file) return answer.writeHead(404).end();
    answer.writeHead(200, { "content-type": file.type, "content-encoding": "gzip" }).end(file.body);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, end: () => server.close() };
}
