import { type Browser, type BrowserContext, chromium } from "@playwright/test";
import { findBrowser } from "@/__tests__/support/browser";
import { newAddress } from "./call";

export function startBrowser(...args: string[]): Promise<Browser> {
  return chromium.launch({
    ...findBrowser(),
    args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update", ...args],
  });
}

/** A browser context with its own X-Forwarded-For address. */
export function newDevice(browser: Browser, timezoneId?: string): Promise<BrowserContext> {
  return browser.newContext({ timezoneId, extraHTTPHeaders: { "x-forwarded-for": newAddress() } });
}
