import { Refusal } from "./refusal";
import { currentSettings } from "./settings";

export function requireSending(): void {
  const { email, sms } = currentSettings().sending;
  if (!email && !sms) throw new Refusal("Sending is not set up.", "Set SMTP_URL or SMS_PROVIDER (docs/sending.md).");
}

/** Wherever links are shown or sent. Only on the embedded database may they lead to this machine without APP_URL. */
export function requireAppUrl(): void {
  const { appUrl, isAppUrlAssumed, DATABASE_URL, OPERATIONS_DATABASE_URL } = currentSettings();
  if (!isAppUrlAssumed || !(DATABASE_URL ?? OPERATIONS_DATABASE_URL)) return;
  throw new Refusal(
    `Links would lead to ${appUrl}, which applicants cannot open.`,
    "Set APP_URL to the address for applicants.",
  );
}

/** The app that sends the messages may have an APP_URL that this process does not know. */
export const appUrlCaveat = () =>
  currentSettings().isAppUrlAssumed ? "; the app still sends if its own APP_URL is set" : "";
