import "server-only";
import { currentSettings } from "@/lib/server/settings";

/** The URL that is sent to an applicant. */
export function linkTo(token: string, source: string): string {
  const parameters = new URLSearchParams(source ? { token, source } : { token });
  return `${currentSettings().appUrl}/?${parameters}`;
}
