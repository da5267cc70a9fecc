import type { Page } from "@playwright/test";
import { fillStep, next } from "@/__tests__/support/fill-in";
import { invited } from "@/__tests__/support/invited";
import { newDevice } from "@/__tests__/support/processes/browser";
import { makeToken } from "@/lib/server/links/token";
import { expect, same } from "./support/expect";
import type { Promised } from "./support/world";

const unknown = makeToken();

/** Addresses that any website could open here. */
const addresses = [
  "/?token=garbage",
  "/?token=",
  "/?token=&source=evil",
  "/?token=%20",
  `/?token=${unknown}`,
  `/?token=${unknown}.&source=evil`,
  `/?token=${"t".repeat(5000)}`,
  "/?token=%00",
  "/?token=%E0%A4%A",
  "/?token=%3C/script%3E%3Cscript%3EdocumentElement.remove()%3C/script%3E",
  `/?token=%22%2Ctoken%3Dlocalstorage.clear()%2F%2F`,
  "/?token=%F0%9F%8F%A0",
  "/?token=null&source=null",
  `/?token=${unknown}&token=${makeToken()}`,
  `//?token=${unknown}`,
  "/home?token=garbage",
  "/review%26submit?token=garbage",
  `/un-authorized?token=${unknown}`,
];

const typed = (page: Page) =>
  Promise.all(["Full name", "Last name"].map((label) => page.getByLabel(label, { exact: true }).inputValue()));

const harmless: Promised = {
  number: 32,
  async prove({ app, browser, sql }) {
    const { token, id } = await invited();
    const expired = await invited({}, { expiresInDays: -1 });
    const revoked = await invited();
    await sql(`UPDATE links SET "revokedAt" = now() WHERE "applicationId" = $1`, [revoked.id]);
    const bad = [...addresses, `/?token=${expired.token}`, `/landing?token=${revoked.token}&source=ia`];
    const device = await newDevice(await browser());
    try {
      const form = await device.newPage();
      await form.goto(`${app.url}/?token=${token}&source=ba`);
      await form.goto(`${app.url}/home`);
      await fillStep(form, 1);
      await form.getByLabel("Rental property address", { exact: true }).blur();
      const stored = () => form.evaluate(() => ({ ...localStorage }));
      const kept = await stored();
      expect(kept.auth_token === token && JSON.stringify(kept).includes("Newtown"), "the form has no draft to lose");
      const words = await typed(form);
      let refused = 0;
      for (const address of bad) {
        const other = await device.newPage();
        await other.goto(app.url + address);
        await other
          .getByRole("heading", { level: 1 })
          .filter({ hasNotText: "Authenticating", visible: true })
          .waitFor();
        if (other.url().endsWith("/un-authorized")) refused += 1;
        same(await stored(), kept, `what is stored, after ${address.slice(0, 60)}`);
        same(await typed(form), words, `the open form, after ${address.slice(0, 60)}`);
        expect(!/[?&]token=/.test(other.url()), `the address keeps a token: ${other.url()}`);
        await other.close();
      }
      await next(form);
      await form.getByRole("heading", { name: "Agency Details" }).waitFor();
      const [row] = await sql(`SELECT "lastName" FROM applications WHERE id = $1`, [id]);
      same(row?.lastName, words[1], "the last name saved afterwards");
      return `${bad.length} kinds of bad link opened beside a form with typed text, ${refused} of them refused: token, source, draft and form unchanged ${bad.length} of ${bad.length} times, and the form saves afterwards`;
    } finally {
      await device.close();
    }
  },
};

export const badLinks = [harmless];
