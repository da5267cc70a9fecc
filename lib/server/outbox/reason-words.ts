import { correctedError, stoppedError } from "./reachability";

/** What a stored error code means to a clerk. The first pattern that matches counts. */
const words: [pattern: RegExp, text: string][] = [
  [/^$/, "It has not been tried yet."],
  [new RegExp(`^${stoppedError}$`), "An opt-out or a bounce stops invitations and reminders to this contact."],
  [new RegExp(`^${correctedError}$`), "The contact has been corrected."],
  [/^erased$/, "The person's data has been erased."],
  [/^revoked$/, "The links have been revoked."],
  [/^expired$/, "The link has expired."],
  [/^submitted$/, "The application has been submitted."],
  [/^the status has changed$/, "The status has changed."],
  [/^a later email reports this status$/, "A later email reports this status."],
  [/^superseded/, "Another invitation or reminder replaces it."],
  [/^the worker ended$/, "The worker stopped in the middle. The message may have arrived."],
  [/^(no response|response not understood)$/, "The provider did not confirm it. The message may have arrived."],
  [/^outside business hours$/, "It waits for business hours."],
  [/SANDBOX_RECIPIENTS/, "This is a test installation, and may not write to this recipient."],
  [/^(bounced|5\d\d).*\b5\.1\.\d/, "There is no such mailbox."],
  [/^bounced/, "The email came back."],
  [/\b[45]\.2\.2\b/, "The mailbox is full."],
  [/^(EAUTH|535|530|HTTP 40[13])/, "The provider does not accept our account. Tell your engineer."],
  [/^(HTTP )?429/, "The provider takes no more at the moment."],
  [/^4\d\d/, "The recipient's server asked us to try again later."],
  [/^5\d\d/, "The recipient's server refused it."],
  [/^HTTP 5/, "The provider has a fault."],
  [/^HTTP/, "The provider refused it."],
  [/^(E[A-Z]{3,}|UND_|.*time.?out)/i, "The connection to the provider failed."],
];

/** The reason in words, with the code for the engineer. */
export function reasonInWords(error: string): string {
  if (error.startsWith("by ")) return `Cancelled ${error}.`;
  const [, text] = words.find(([pattern]) => pattern.test(error)) ?? [undefined, "It did not go out."];
  const isCode = /^[A-Z\d]|^bounced/.test(error);
  return isCode ? `${text} (${error})` : text === "It did not go out." ? `It did not go out: ${error}.` : text;
}
