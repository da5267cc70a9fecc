import { isPossiblePhone } from "@/lib/domain/phone";
import { normalisePhone } from "@/lib/server/invitations/normalise-phone";
import { UsageError } from "./command";

export interface Reader {
  channel: "email" | "sms";
  recipient: string;
}

/** One email address, or a number as people write it. */
export function readerOf(text: string): Reader {
  if (/^[^\s@,;<>"]+@[^\s@,;<>"]+$/.test(text)) return { channel: "email", recipient: text };
  const digits = normalisePhone(text);
  if (!isPossiblePhone(digits)) throw new UsageError(`${text} is no email address and no phone number.`);
  return { channel: "sms", recipient: digits };
}
