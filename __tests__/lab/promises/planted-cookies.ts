import { request } from "node:http";
import { createServer } from "node:https";
import { selfSigned } from "@/__tests__/lab/promises/support/certificate";
import { same } from "@/__tests__/lab/promises/support/expect";
import { promise, type World } from "@/__tests__/lab/promises/support/world";
import { invited } from "@/__tests__/support/invited";
import { startBrowser } from "@/__tests__/support/processes/browser";
import { newAddress } from "@/__tests__/support/processes/call";
import { listen } from "@/__tests__/support/tcp-server";
import { writeHandoff } from "@/lib/domain/handoff";

const host = "apply.lender.test";
const domain = "Domain=lender.test";

interface Planted {
  cookie: string;
  html?: string;
}

/** Ways in which a sibling domain may try to set a cookie for the app's domain. */
const ways: ((value: string) => Planted)[] = [
  (value) => ({ cookie: `handoff=${value}; ${domain}; Path=/` }),
  (value) => ({ cookie: `handoff=${value}; ${domain}; Path=/; Secure; HttpOnly; SameSite=Lax` }),
  (value) => ({ cookie: `handoff=${value}; ${domain}; Path=/home` }),
  (value) => ({ cookie: `__Host-handoff=${value}; ${domain}; Path=/; Secure` }),
  (value) => ({ cookie: `__Host-handoff=${value}; Path=/; Secure` }),
  (value) => ({ cookie: `__host-HANDOFF=${value}; ${domain}; Path=/; Secure` }),
  (value) => ({ cookie: `=__Host-handoff=${value}; ${domain}; Path=/; Secure` }),
  (value) => ({ cookie: `\u2000__Host-handoff=${value}; ${domain}; Path=/; Secure` }),
  (value) => ({ cookie: `%5F%5FHost-handoff=${value}; ${domain}; Path=/; Secure` }),
  (value) => ({
    cookie: "",
    html: `<script>document.cookie="handoff=${value}; ${domain}; path=/";document.cookie="=__Host-handoff=${value}; ${domain}; path=/; secure"</script>`,
  }),
];

/** Starts a TLS proxy in front of the app, as in production. It serves a sibling domain's site for every other host. */
async function startTlsProxy({ app, after }: World) {
  let planted: Planted = { cookie: "" };
  const server = createServer(selfSigned(), (incoming, response) => {
    if (!incoming.headers.host?.startsWith(host)) {
      if (planted.cookie) response.setHeader("set-cookie", Buffer.from(planted.cookie, "utf8").toString("latin1"));
      return response.setHeader("content-type", "text/html").end(planted.html ?? "<title>Hello</title>");
    }
    const headers = { ...incoming.headers, "x-forwarded-proto": "https" };
    const onward = request(`${app.url}${incoming.url}`, { method: incoming.method, headers }, (from) => {
      response.writeHead(from.statusCode ?? 502, from.headers);
      from.pipe(response);
    });
    onward.on("error", () => response.destroy());
    incoming.pipe(onward);
  });
  const port = await listen(server);
  after(() => {
    server.close();
    server.closeAllConnections();
  });
  const plant = (next: Planted) => {
    planted = next;
  };
  return { port, plant };
}

promise(34, async (world) => {
  const [visitor, attacker] = [await invited(), await invited()];
  // The planted value is valid, because the app's own function writes it.
  const value = encodeURIComponent(writeHandoff({ token: attacker.token, source: "ba" }));
  const proxy = await startTlsProxy(world);
  const browser = await startBrowser("--host-resolver-rules=MAP *.lender.test 127.0.0.1");
  world.after(() => browser.close());
  const [site, sibling] = [`https://${host}:${proxy.port}`, `https://evil.lender.test:${proxy.port}`];
  for (const [n, way] of ways.entries()) {
    proxy.plant(way(value));
    const extraHTTPHeaders = { "x-forwarded-for": newAddress() };
    const page = await (await browser.newContext({ ignoreHTTPSErrors: true, extraHTTPHeaders })).newPage();
    const token = () => page.evaluate(() => localStorage.getItem("auth_token"));
    await page.goto(sibling);
    await page.goto(site);
    await page.waitForURL("**/un-authorized");
    same(await token(), null, `what a stranger's device holds after way ${n}`);
    await page.goto(`${site}/?token=${visitor.token}&source=ba`);
    await page.getByRole("link", { name: "Start pre-approval" }).waitFor();
    same(await token(), visitor.token, `what a link's device holds after way ${n}`);
    await page.goto(sibling);
    await page.goto(`${site}/home`);
    await page.getByText(visitor.reference).waitFor();
    same(await token(), visitor.token, `what a returning device holds after way ${n}`);
    await page.context().close();
  }
  return `a cookie planted by a sibling domain in ${ways.length} ways, over TLS: before, between and after visits, 0 of ${ways.length} changed which application opens`;
});
