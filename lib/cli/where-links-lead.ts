import { currentSettings } from "@/lib/server/env";

/** Without APP_URL a link leads to the machine of whoever opens it. On stderr: stdout may be read by a program. */
export function tellWhereLinksLead(): void {
  const { appUrl, isAppUrlAssumed } = currentSettings();
  if (isAppUrlAssumed) console.error(`Links lead to ${appUrl}, this machine: APP_URL sets the address for applicants.`);
}
