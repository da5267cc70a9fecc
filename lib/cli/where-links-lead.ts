import { isOnThisMachine } from "@/lib/server/db/database-url";
import { currentSettings } from "@/lib/server/settings";

/** Without APP_URL a link leads to the machine of whoever opens it. On stderr: stdout may be read by a program. */
export function tellWhereLinksLead(): void {
  const { appUrl, isAppUrlAssumed } = currentSettings();
  if (isAppUrlAssumed) console.error(`Links lead to ${appUrl}, this machine: APP_URL sets the address for applicants.`);
}

/** For commands that print or send links. Applicants of a database elsewhere cannot open a link to this machine. */
export function requireAppUrl(): void {
  const { appUrl, isAppUrlAssumed, databaseUrl, operationsDatabaseUrl } = currentSettings();
  const isElsewhere = [databaseUrl, operationsDatabaseUrl].some((url) => url !== undefined && !isOnThisMachine(url));
  if (!isAppUrlAssumed || !isElsewhere) return;
  throw new Error(
    `The database is on another machine, and links would lead to ${appUrl}: set APP_URL to the address for applicants.`,
  );
}
