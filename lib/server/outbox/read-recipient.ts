import { normalisePhone } from "@/lib/domain/normalise-phone";
import { isPossiblePhone } from "@/lib/domain/phone";
import { answerSchema } from "@/lib/schemas/steps";
import { currentSettings } from "@/lib/server/settings";
import type { Contact } from "./enqueue";
import { normaliseEmail } from "./normalise-email";

/** The email address or the number that somebody typed; null if the text is neither. */
export function readRecipient(text: string): Contact | null {
  const { data: email } = answerSchema("email", currentSettings().brand).safeParse(normaliseEmail(text));
  if (email) return { channel: "email", recipient: email };
  const digits = normalisePhone(text);
  return isPossiblePhone(digits) ? { channel: "sms", recipient: digits } : null;
}
