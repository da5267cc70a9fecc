import { mkdirSync } from "node:fs";
import { type Browser, chromium, type Page } from "@playwright/test";
import { requireBuild } from "@/__tests__/support/processes/build";
import { defaultBrand } from "@/lib/brand";
import { findBrowser } from "./browser";
import { deskUrl, signIn } from "./desk";
import { heading, submit } from "./fill-in";
import { sql } from "./journey";
import { invitedAtStage } from "./stages";
import startProduct from "./start-product";
import { emails, everyValue } from "./template-data";

/** Takes the README's screenshots from the production build, with made-up answers. */
const folder = "docs/screenshots";
const phone = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 1.5, isMobile: true, hasTouch: true };
const desktop = { viewport: { width: 1280, height: 800 } };
const invitedFlags = ["--first-name", "Ada", "--quote", "2450"];

async function openedOn(browser: Browser, screen: typeof phone | typeof desktop, link: string): Promise<Page> {
  const page = await browser.newPage({
    ...screen,
    baseURL: process.env.APP_URL,
    locale: "en-AU",
    timezoneId: "Australia/Sydney",
  });
  await page.emulateMedia({ reducedMotion: "reduce" });
  await page.goto(link);
  return page;
}

async function picture(page: Page, name: string): Promise<void> {
  await page.evaluate(() => document.fonts.ready.then(() => null));
  await page.screenshot({ path: `${folder}/${name}.png`, caret: "hide" });
  console.log(`${folder}/${name}.png`);
}

async function landings(browser: Browser): Promise<void> {
  const { link } = await invitedAtStage(0, "--source", "ba", ...invitedFlags);
  const onPhone = await openedOn(browser, phone, link);
  await picture(onPhone, "landing-pre-approval");
  const invoice = await invitedAtStage(0, "--source", "ia", ...invitedFlags);
  await picture(await openedOn(browser, desktop, invoice.link), "landing-desktop");
}

async function toSuccess(browser: Browser): Promise<void> {
  const { link, reference } = await invitedAtStage(3, "--source", "ba", ...invitedFlags);
  const page = await openedOn(browser, phone, link);
  await page.goto("/home?step=3");
  await heading(page, "Lease & funds").waitFor();
  await page.getByText("Current weekly rent", { exact: true }).evaluate((label) => label.scrollIntoView());
  await picture(page, "lease-and-funds");
  await page.goto("/home");
  await heading(page, "Review your application").waitFor();
  await picture(page, "review");
  await submit(page);
  await heading(page, "Your application has been submitted!").waitFor();
  // A fixed reference and time, so that the screenshot changes only with the product.
  await sql(
    `DO $$ BEGIN
       SET LOCAL session_replication_role = replica;
       UPDATE applications SET reference = 'K7QM-4XRT', "submittedAt" = '2026-11-21T00:30:00Z' WHERE reference = '${reference}';
     END $$`,
  );
  await page.reload();
  await page.getByText("K7QM-4XRT", { exact: true }).waitFor();
  await picture(page, "submitted");
}

async function atDesk(browser: Browser): Promise<void> {
  const people = [
    { stage: 1, flags: ["--first-name", "Grace", "--last-name", "O'Neill"] },
    { stage: 0, flags: ["--first-name", "Tom", "--last-name", "Ferris"] },
    { stage: "submitted", flags: ["--first-name", "Ada", "--last-name", "Nguyen", "--quote", "2450"] },
  ] as const;
  const invited = [];
  for (const { stage, flags } of people) invited.push(await invitedAtStage(stage, "--source", "ba", ...flags));
  const page = await browser.newPage(desktop);
  await signIn(page, "Robin");
  await picture(page, "desk-list");
  await page.goto(`${deskUrl()}/desk/${invited.at(-1)?.reference}`);
  await picture(page, "desk-application");
}

/** Emails are shown as wide as the pane of a mail program, and as wide as a phone. */
const panes = [
  { kind: "invitation", name: "email-invitation", width: 600, colorScheme: "light" },
  { kind: "confirmation", name: "email-confirmation-dark", width: 390, colorScheme: "dark" },
] as const;

async function letters(browser: Browser): Promise<void> {
  for (const { kind, name, width, colorScheme } of panes) {
    const page = await browser.newPage({ viewport: { width, height: 800 }, colorScheme });
    // An invitation has no proof, and a confirmation is usually sent before a decision.
    const data = { ...everyValue, status: "submitted" as const, ...(kind === "invitation" && { evidence: undefined }) };
    await page.setContent(emails[kind]?.render(data, defaultBrand).html ?? "");
    await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true });
    console.log(`${folder}/${name}.png`);
  }
}

async function takeAll(): Promise<void> {
  requireBuild();
  mkdirSync(folder, { recursive: true });
  const stop = await startProduct();
  const browser = await chromium.launch(findBrowser());
  try {
    await landings(browser);
    await toSuccess(browser);
    await atDesk(browser);
    await letters(browser);
  } finally {
    await browser.close();
    await stop();
  }
}

// The process that issues links would keep this one running.
takeAll().then(() => process.exit());
