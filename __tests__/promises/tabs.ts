import { back, fillStep, next } from "@/__tests__/support/fill-in";
import { invited } from "@/__tests__/support/invited";
import { newDevice } from "@/__tests__/support/processes/browser";
import { same } from "./support/expect";
import type { Promised } from "./support/world";

const times = 20;

const ownTab: Promised = {
  number: 33,
  async prove({ app, browser, sql, hashOf }) {
    const mine = await invited();
    const device = await newDevice(await browser());
    const tokens: string[] = [];
    try {
      const form = await device.newPage();
      form.on("request", (request) => {
        if (request.url().includes("/submit-step-")) tokens.push(request.postDataJSON().token);
      });
      await form.goto(`${app.url}/?token=${mine.token}&source=ba`);
      await form.goto(`${app.url}/home`);
      await fillStep(form, 1);
      for (let time = 1; time <= times; time++) {
        const other = await invited();
        const before = await hashOf(other.id);
        const beside = await device.newPage();
        await beside.goto(`${app.url}/?token=${other.token}&source=ba`);
        await beside.getByRole("link", { name: "Start pre-approval" }).waitFor();
        same(await beside.evaluate(() => localStorage.getItem("auth_token")), other.token, "the stored token");
        const lastName = `Nguyen-${"i".repeat(time)}`;
        await form.getByLabel("Last name", { exact: true }).fill(lastName);
        await next(form);
        await form.getByRole("heading", { name: "Agency Details" }).waitFor();
        await form.getByText(mine.reference).waitFor();
        const [row] = await sql(`SELECT "lastName" FROM applications WHERE id = $1`, [mine.id]);
        same(row?.lastName, lastName, "what the first tab's application holds");
        same(await hashOf(other.id), before, "the other application");
        await back(form);
        await beside.close();
      }
      same(tokens, Array(times).fill(mine.token), "the tokens of the first tab's saves");
      return `${times} links to other applications opened beside an open form: ${tokens.length} of ${times} saves of the first tab went to its own application, 0 to another`;
    } finally {
      await device.close();
    }
  },
};

export const tabs = [ownTab];
