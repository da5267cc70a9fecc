import "server-only";
import type { Outcome } from "@/lib/server/messages/outcome";
import { currentSettings } from "@/lib/server/settings";
import { type Email, type Mailer, openMailer } from "./mailer";

let mailer: Mailer | undefined;

/** Opens what email is sent through, so that a wrong setting shows at the start. It connects with the first message. */
export function openEmail(): Mailer {
  mailer ??= openMailer(currentSettings());
  return mailer;
}

export function sendEmail(email: Email): Promise<Outcome> {
  return openEmail().send(email);
}

/** Ends its connections, which would keep a command from ending. */
export function closeEmail(): void {
  mailer?.close();
  mailer = undefined;
}
