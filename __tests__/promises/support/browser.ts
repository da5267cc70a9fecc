import { type Browser, type BrowserContext, chromium, type Page } from "@playwright/test";
import { findBrowser } from "@/__tests__/support/browser";
import { newAddress } from "./call";

export function startBrowser(): Promise<Browser> {
  return chromium.launch({
    ...findBrowser(),
    args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"],
  });
}

/** A device of its own, which the app sees come from an address of its own. */
export function newDevice(browser: Browser, timezoneId?: string): Promise<BrowserContext> {
  return browser.newContext({ timezoneId, extraHTTPHeaders: { "x-forwarded-for": newAddress() } });
}

/** Waits until the page's scripts have taken it over. */
export async function fieldOf(page: Page, name: string, value: string): Promise<void> {
  const field = page.getByLabel(name, { exact: true });
  await field.waitFor();
  await field.fill(value);
}

export const labels = {
  1: {
    firstName: "Full name",
    lastName: "Last name",
    email: "Email address",
    propertyAddress: "Rental property address",
  },
  2: {
    agencyName: "Agency name",
    managerFirstName: "Agent first name",
    managerLastName: "Agent last name",
    contactNumber: "Agent mobile",
    managerEmail: "Agent email address",
  },
  3: {
    leaseStartDate: "Lease start date",
    leaseEndDate: "Lease end date",
    currentRent: "Current weekly rent",
    invoiceAmount: "Repair costs",
    loanAmount: "Loan amount",
  },
} as const;
