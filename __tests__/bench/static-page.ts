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

/** The landing's HTML with its stylesheets in <style> elements, and no scripts. */
async function inlined(app: App, html: string): Promise<string> {
  let page = html.replace(/<script.*?<\/script>|<link[^>]*as="(?:script|style)"[^>]*>/gs, "");
  for (const [link, href = ""] of page.matchAll(/<link rel="stylesheet" href="([^"]+)"[^>]*>/g)) {
    const styles = await textOf(app.url + href);
    page = page.replace(link, () => `<style>${styles}</style>`);
  }
  return page;
}

/** The landing as one file, its styles inlined, gzip, no scripts, no redirect, nothing rendered: the floor for the landing. */
export async function startStaticPage(app: App, link: string): Promise<StaticPage> {
  const arrived = await fetch(link, { redirect: "manual" });
  const cookie = arrived.headers.getSetCookie()[0]?.split(";")[0] ?? "";
  const landing = await fetch(new URL("/", app.url), { headers: { cookie } });
  const html = await inlined(app, await landing.text());
  if (!html.includes('href="/home"') || !html.includes("</style>")) throw new Error("That is not the landing.");
  const body = gzipSync(html);
  const server = createServer((request, answer) => {
    if (request.url !== "/") return answer.writeHead(404).end();
    answer.writeHead(200, { "content-type": "text/html; charset=utf-8", "content-encoding": "gzip" }).end(body);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, end: () => server.close() };
}
