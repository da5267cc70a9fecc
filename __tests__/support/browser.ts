import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { chromium } from "@playwright/test";

interface Browser {
  executablePath: string;
  env?: Record<string, string>;
}

const installed = [
  "/usr/bin/chromium",
  "/usr/bin/google-chrome",
  "/usr/bin/google-chrome-stable",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
];

const unpacked = join(process.cwd(), "node_modules/.cache/chromium");

/** A whole Chromium. The one that is unpacked here has no autofill. */
export const installedChromium = () => process.env.PLAYWRIGHT_CHROMIUM ?? installed.find((file) => existsSync(file));

/** The Chromium for browser tests: from the environment, installed, or Playwright's; otherwise @sparticuz/chromium's. */
export function findBrowser(): Browser {
  const found = installedChromium() ?? [chromium.executablePath()].find((file) => existsSync(file));
  return found ? { executablePath: found } : bundledBrowser();
}

function bundledBrowser(): Browser {
  if (process.platform !== "linux" || process.arch !== "x64") {
    throw new Error("There is no browser for the journeys: install Chrome, or name a Chromium in PLAYWRIGHT_CHROMIUM.");
  }
  const executablePath = join(unpacked, "chromium");
  if (!existsSync(executablePath)) {
    execFileSync(process.execPath, ["--import", "tsx", "__tests__/support/unpack-browser.ts", unpacked]);
  }
  return {
    executablePath,
    env: {
      LD_LIBRARY_PATH: join(unpacked, "al2023/lib"),
      FONTCONFIG_PATH: join(unpacked, "fonts"),
      // Chromium sets these two while its other threads read the environment. Adding a variable moves glibc's array, and getenv
      // then sometimes crashes; replacing one does not move it.
      DBUS_SESSION_BUS_ADDRESS: "disabled:",
      FC_FONTATIONS: "1",
    },
  };
}
