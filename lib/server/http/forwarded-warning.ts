import { currentSettings } from "@/lib/server/settings";
import { logProcess } from "./log";

// On globalThis, because Next bundles each call separately.
const kept = globalThis as { rentAdvanceForwardedWarning?: true };

/**
 * Warns once if X-Forwarded-For has fewer entries than there are trusted proxies, as behind a proxy that drops what the one before it
 * has written. Every visitor then has the address of a proxy, and all share one limit. The server itself adds one entry.
 */
export function warnOfShortForwarding(headers: Headers): void {
  const forwarded = (headers.get("x-forwarded-for") ?? "").split(",").length - 1;
  const { TRUSTED_PROXIES: trusted } = currentSettings();
  if (forwarded >= trusted || kept.rentAdvanceForwardedWarning) return;
  kept.rentAdvanceForwardedWarning = true;
  logProcess("warn", { problem: "X-Forwarded-For has fewer entries than TRUSTED_PROXIES", forwarded, trusted });
}
