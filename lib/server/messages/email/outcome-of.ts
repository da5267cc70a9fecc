import "server-only";
import { type Outcome, providerAway } from "@/lib/server/messages/outcome";

/** What nodemailer adds to an error. */
export interface SmtpError extends Error {
  code?: string;
  /** Of the operating system, where `code` is nodemailer's. */
  originalCode?: string;
  /** The command that was answered so; CONN where none was. */
  command?: string;
  response?: string;
  responseCode?: number;
}

/** Session in disorder, and log in first: not this message's fault. */
const ofTheSession = [421, 503, 530];

/** `isBegun`: the server had asked for the message, and something of it was sent. */
export function outcomeOf(error: SmtpError, isBegun: boolean): Outcome {
  const { command, responseCode, code } = error;
  const name = nameOf(error);
  if (responseCode && (command === "RCPT TO" || command === "DATA")) {
    if (ofTheSession.includes(responseCode)) return providerAway(name);
    return responseCode >= 500 ? { state: "failed", error: name } : { state: "later", error: name };
  }
  // Nodemailer reports a connection lost in the middle of a message like one that never came to be.
  if (isBegun) return { state: "unknown", error: name };
  // No server was asked: there is no such recipient, or the message is larger than the server takes.
  if (!responseCode && (code === "EENVELOPE" || code === "EMESSAGE")) return { state: "failed", error: name };
  // What a server has against the connection, the login or the sender, it has against every message.
  return providerAway(name);
}

/** '550 5.1.1', 'ECONNREFUSED': a reply's text may hold the address. */
function nameOf({ response = "", originalCode, code, name }: SmtpError): string {
  const [reply] = /^\d{3}(?:[ -]\d\.\d{1,3}\.\d{1,3})?/.exec(response) ?? [];
  return reply?.replace("-", " ") ?? originalCode ?? code ?? name;
}
