import "server-only";
import type { Settings } from "./read-settings";
import { SettingsError } from "./settings-error";

export type { RetentionMonths, Settings } from "./read-settings";

// On the process: Next bundles each route apart, which would load zod and read the settings again.
const kept = globalThis as { rentAdvanceSettings?: Settings };
let settings: Settings | undefined;

/** The settings of this process. */
export function currentSettings(): Settings {
  settings ??= kept.rentAdvanceSettings ?? readOnDemand();
  return settings;
}

/** The start hands them to whatever the process loads later. */
export function shareSettings(read: Settings): void {
  settings = read;
  kept.rentAdvanceSettings = read;
}

/** For commands and tests, which no start has handed them. Next's bundles come without: they cannot `require` it. */
function readOnDemand(): Settings {
  const { readSettings } = require("./read-settings") as typeof import("./read-settings");
  return readSettings(process.env);
}

/** Throws where production lacks a setting, or only what a command needs of it: the database. */
export function requireSettings(part = ""): void {
  const { appUrl, missing } = currentSettings();
  const lacking = missing.filter((name) => name.startsWith(part));
  if (lacking.length === 0) return;
  throw new SettingsError(`With APP_URL=${appUrl} this is production, which needs ${lacking.join(", ")} as well.`);
}
