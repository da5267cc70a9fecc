import type { BrowserContext, Page } from "@playwright/test";
import { expect, same } from "@/__tests__/lab/promises/support/expect";
import { promise } from "@/__tests__/lab/promises/support/world";
import { agent, consent, landlord, lease } from "@/__tests__/support/answers";
import { invited } from "@/__tests__/support/invited";
import { call } from "@/__tests__/support/processes/call";

const payload = "window.__ran=1";

/** Elements with the event that runs a script. */
const events = [
  ...["img src=x onerror", "svg onload", "svg/onload", "body onload", "input autofocus onfocus", "marquee onstart"],
  ...["details open ontoggle", "video><source onerror", "audio src=x onerror"],
];
/** Elements with the attribute that names what they open or load. */
const addresses = ["iframe src", "object data", "embed src", "link rel=stylesheet href"];

/** Payloads that run a script wherever output is not escaped. */
const markup = [
  ...["", "</script>"].map((before) => `${before}<script>${payload}</script>`),
  ...events.map((event) => `<${event}=${payload}>`),
  ...addresses.map((address) => `<${address}="javascript:${payload}">`),
  ...[`"`, `'`].map((quote) => `${quote}><img src=x onerror=${payload}>`),
  ...[`"`, `'`].map((quote) => `${quote} autofocus onfocus=${quote}${payload}`),
  ...[`"><svg onload=${payload}>`, `<iframe srcdoc="<script>parent.__ran=1</script>">`],
  ...[`<a href="javascript:${payload}">x</a>`, `javascript:${payload}`, `data:text/html,<script>${payload}</script>`],
  ...[`<math><mi xlink:href="javascript:${payload}">x`, `<form action="javascript:${payload}"><button>x`],
  ...[`<button formaction="javascript:${payload}">x`, `<style>@import 'javascript:${payload}';</style>`],
  ...[`<base href="javascript:${payload}//">`, `<meta http-equiv=refresh content="0;url=javascript:${payload}">`],
  ...[`<!--><script>${payload}</script>-->`, `<![CDATA[<script>${payload}</script>]]>`],
  ...[`\\u003cscript\\u003e${payload}\\u003c/script\\u003e`, `&lt;script&gt;${payload}&lt;/script&gt;`],
  ...[`%3Cscript%3E${payload}%3C/script%3E`, `{{constructor.constructor('${payload}')()}}`, `\${${payload}}`],
  `<noscript><p title="</noscript><img src=x onerror=${payload}>">`,
  ...[`<template><script>${payload}</script></template>`, `=HYPERLINK("javascript:${payload}","x")`],
];

/** Collects the CSP violations and dialogs of all pages of the device. */
function noteViolations(device: BrowserContext): string[] {
  const violations: string[] = [];
  device.on("console", (message) => {
    if (/content security policy|violates/i.test(message.text())) violations.push(message.text().slice(0, 200));
  });
  device.on("dialog", (dialog) => {
    violations.push(`a dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  return violations;
}

/** Waits for hydration, because injected markup might only run once scripts render it. */
async function settle(page: Page): Promise<void> {
  await page.locator('h1:visible:not(:text("Authenticating"))').first().waitFor();
  await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve, { timeout: 1000 })));
}

promise(20, async ({ app, device: newDevice }) => {
  const device = await newDevice();
  const violations = noteViolations(device);
  let views = 0;
  const page = await device.newPage();
  const visit = async (path: string) => {
    await page.goto(app.url + path);
    await settle(page);
  };
  const hasRun = () => page.evaluate(() => "__ran" in window);
  for (const [n, text] of markup.entries()) {
    const { token } = await invited();
    const answers = [
      { ...landlord, firstName: text, lastName: text, propertyAddress: text },
      { ...agent, agencyName: text, managerFirstName: text, managerLastName: text },
      { ...lease, approval: text.slice(0, 60) },
    ];
    for (const [step, data] of answers.entries()) {
      const { status } = await call(app, `submit-step-${step + 1}` as "submit-step-1", { token, data });
      same(status, 200, `status of ${text} in step ${step + 1}`);
    }
    await visit(`/?token=${token}&source=${n % 2 ? "ba" : "ia"}`);
    const hostile = encodeURIComponent(text);
    for (const path of ["/home", "/review&submit"]) {
      await visit(path);
      await page.getByText(text.slice(0, 20)).first().waitFor();
      expect(!(await hasRun()), `'${text}' ran at ${path}`);
      views += 1;
    }
    if (n % 8 === 0) {
      await call(app, "submit-final", { token, data: consent });
      await visit("/submit-success");
      expect(!(await hasRun()), `'${text}' ran at /submit-success`);
      await visit(`/${hostile}?source=${hostile}&token=${hostile}`);
      expect(!(await hasRun()), `'${text}' ran in an address`);
      views += 2;
    }
  }
  same(violations, [], "violations of the policy with markup in every field");
  return `${markup.length} markup payloads in every text field, ${views} views: 0 violations, 0 scripts ran`;
});
