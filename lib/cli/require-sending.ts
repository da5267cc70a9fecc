import { currentSettings } from "@/lib/server/settings";

/** Of an invitation that no channel reaches. */
export const noContact = "there is no email address, and no SMS is set up";

/** For commands that send to applicants. */
export function requireSending(): void {
  const { email, sms } = currentSettings().sending;
  if (!email && !sms) throw new Error("Nothing is set up to send with: SMTP_URL or SMS_PROVIDER (docs/sending.md).");
}
