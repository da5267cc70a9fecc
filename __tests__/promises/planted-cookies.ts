import { invited } from "@/__tests__/support/invited";
import { startBrowser } from "@/__tests__/support/processes/browser";
import { newAddress } from "@/__tests__/support/processes/call";
import { writeHandoff } from "@/lib/domain/handoff";
import { same } from "./support/expect";
import { startTlsProxy } from "./support/tls-proxy";
import type { Promised } from "./support/world";

const host = "apply.lender.test";
const domain = "Domain=lender.test";

/** Ways in which a sibling domain sets a cookie for the app's domain. */
const ways: ((value: string) => { cookie: string; html?: string })[] = [
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

const planted: Promised = {
  number: 34,
  async prove({ app }) {
    const [mine, theirs] = [await invited(), await invited()];
    // As the app itself writes the cookie.
    const value = encodeURIComponent(writeHandoff({ token: theirs.token, source: "ba" }));
    const proxy = await startTlsProxy(app, host);
    const browser = await startBrowser("--host-resolver-rules=MAP *.lender.test 127.0.0.1");
    const [site, sibling] = [`https://${host}:${proxy.port}`, `https://evil.lender.test:${proxy.port}`];
    try {
      for (const way of ways) {
        const { cookie, html } = way(value);
        proxy.plant(cookie, html);
        const extraHTTPHeaders = { "x-forwarded-for": newAddress() };
        const device = await browser.newContext({ ignoreHTTPSErrors: true, extraHTTPHeaders });
        const page = await device.newPage();
        const token = () => page.evaluate(() => localStorage.getItem("auth_token"));
        await page.goto(sibling);
        await page.goto(site);
        await page.waitForURL("**/un-authorized");
        same(await token(), null, `what a stranger's device holds after ${cookie || html}`);
        await page.goto(`${site}/?token=${mine.token}&source=ba`);
        await page.getByRole("link", { name: "Start pre-approval" }).waitFor();
        same(await token(), mine.token, `what a link's device holds after ${cookie || html}`);
        await page.goto(sibling);
        await page.goto(`${site}/home`);
        await page.getByText(mine.reference).waitFor();
        same(await token(), mine.token, `what a returning device holds after ${cookie || html}`);
        await device.close();
      }
      return `a cookie planted by a sibling domain in ${ways.length} ways, over TLS: before, between and after visits, 0 of ${ways.length} changed which application opens`;
    } finally {
      await browser.close();
      proxy.close();
    }
  },
};

export const plantedCookies = [planted];
