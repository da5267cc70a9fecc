import { expect, type Page } from "@playwright/test";
import { test } from "@/__tests__/support/journey";
import { reportFigure } from "@/__tests__/support/size";
import { openAt } from "@/__tests__/support/stages";
import { isAskedFor, labelOf, namesOf, type SavedAnswer } from "@/lib/domain/application";
import { type AnswerStep, answerSteps, steps } from "@/lib/domain/journey";

/** The landlord's own details, as a browser keeps them. */
const kept = {
  NAME_FULL: "Kim Landlord",
  NAME_FIRST: "Kim",
  NAME_LAST: "Landlord",
  EMAIL_ADDRESS: "kim@home.example",
  PHONE_HOME_WHOLE_NUMBER: "+61491570006",
  COMPANY_NAME: "Kim's Own Company",
  ADDRESS_HOME_STREET_ADDRESS: "5 Home Street",
  ADDRESS_HOME_LINE1: "5 Home Street",
  ADDRESS_HOME_CITY: "Newtown",
  ADDRESS_HOME_STATE: "NSW",
  ADDRESS_HOME_ZIP: "2042",
  ADDRESS_HOME_COUNTRY: "AU",
};

const invitation = {
  "--first-name": "Invited",
  "--last-name": "Person",
  "--email": "invited@example.com",
  "--property-address": "1 Rental Road",
  "--agency-name": "Invited Agency",
  "--agent-first-name": "Agent",
  "--agent-last-name": "Invited",
  "--agent-mobile": "61298765432",
  "--agent-email": "agent@example.com",
  "--quote": "2450",
};

const own: SavedAnswer[] = ["firstName", "lastName", "mobile", "email"];

const valuesOf = (page: Page, names: SavedAnswer[]) =>
  page.evaluate(
    (ids) => ids.map((id) => [id, (document.getElementById(id) as HTMLInputElement).value]),
    names as string[],
  );

/** Accepts the browser's suggestion of the kept details at this field. */
async function accept(page: Page, name: SavedAnswer): Promise<void> {
  const devTools = await page.context().newCDPSession(page);
  await devTools.send("Autofill.enable");
  await page.locator(`#${name}`).focus();
  const { root } = await devTools.send("DOM.getDocument");
  const { nodeId } = await devTools.send("DOM.querySelector", { nodeId: root.nodeId, selector: `#${name}` });
  const { node } = await devTools.send("DOM.describeNode", { nodeId });
  const fields = Object.entries(kept).map(([type, value]) => ({ name: type, value }));
  // Chromium refuses a field that it would not fill in.
  await devTools.send("Autofill.trigger", { fieldId: node.backendNodeId, address: { fields } }).catch(() => undefined);
  await page.waitForTimeout(300);
  await devTools.detach();
}

for (const step of answerSteps)
  for (const invited of [false, true])
    test(`a suggestion accepted in step ${step} ${invited ? "keeps the invitation's values" : "fills in no field of another person or place"}`, async ({
      page,
    }) => {
      const flags = invited ? Object.entries(invitation).flat() : [];
      const { reference } = await openAt(page, (step - 1) as 0 | AnswerStep, `/home?step=${step}`, ...flags);
      await expect(page.getByRole("heading", { name: steps[step].heading })).toBeVisible();
      const names = namesOf(step).filter((name) => name !== "source" && isAskedFor(name, ""));
      for (const name of names) {
        await page.evaluate((key) => localStorage.removeItem(key), `draft_${reference}`);
        await page.reload();
        await expect(page.getByLabel(labelOf(name, ""), { exact: true })).toBeVisible();
        const before = await valuesOf(page, names);
        await accept(page, name);
        const after = await valuesOf(page, names);
        const filled = names.filter((_, at) => after[at]?.[1] !== before[at]?.[1]);
        const fitting = own.includes(name) ? own : [name];
        expect(
          filled.filter((other) => !fitting.includes(other)),
          `filled in at ${name}`,
        ).toEqual([]);
        if (invited) expect(after, `at ${name}`).toEqual(before);
        else if (name === "firstName") expect(filled).toEqual(["firstName", "lastName", "email"]);
      }
      reportFigure(79, `suggestions at ${names.length} fields of step ${step} filled in no field of another`);
    });
