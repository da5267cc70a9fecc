import { buffer } from "node:stream/consumers";
import nodemailer, { type Transport } from "nodemailer";
import { currentOperation, type Operation, type Scheduler } from "./scheduler";

/**
 * A simulated mail server, SMS gateway and webhook receiver, in place of nodemailer's connection and of `fetch`. The product's
 * own code still decides what to send and what an answer means.
 */
export const behaviours = ["answers", "stalls", "drops", "refuses", "puts off", "is away"] as const;
export type Behaviour = (typeof behaviours)[number];
export type Channel = "email" | "sms" | "webhook";

/** A request to a provider to take a message. */
export interface Contact {
  message: string;
  channel: Channel;
  to: string;
  text: string;
  behaviour: Behaviour;
  /** The provider has taken the message, so it counts as sent, whatever answer the sender receives. */
  isTaken: boolean;
  providerId: string;
  operation: Operation;
  /** The tick of the sender's last statement before the contact: what ended before it had to be considered. */
  decided: number;
  /** The simulated time and the tick of the contact. */
  time: number;
  tick: number;
  answer?: Answer;
}

export const answers = ["answers", "drops", "puts off"] as const;
export type Answer = (typeof answers)[number];

export class Providers {
  readonly contacts: Contact[] = [];
  /** How providers behave towards each operation. */
  readonly behaviourOf = new Map<Operation, Behaviour>();

  constructor(private readonly scheduler: Scheduler) {}

  async contact(channel: Channel, message: string, to: string, text: string): Promise<Contact> {
    const operation = currentOperation();
    if (!operation) throw new Error("A provider was contacted by nobody");
    const behaviour = this.behaviourOf.get(operation) ?? "answers";
    const contact: Contact = {
      message,
      channel,
      to,
      text,
      behaviour,
      operation,
      isTaken: behaviour === "answers" || behaviour === "stalls" || behaviour === "drops",
      providerId: `p-${this.contacts.length}`,
      decided: operation.lastStatement,
      tick: ++this.scheduler.tick,
      time: Date.now(),
    };
    this.contacts.push(contact);
    if (behaviour === "stalls") await this.scheduler.wait(operation, "provider");
    return contact;
  }

  /** The contacts that the provider has not answered yet. */
  stalled(): Contact[] {
    return this.contacts.filter(({ operation, answer }) => operation.state === "provider" && !answer);
  }

  answer(contact: Contact, answer: Answer): void {
    contact.answer = answer;
    if (answer === "puts off") Object.assign(contact, { behaviour: answer, isTaken: false });
    contact.operation.state = "ready";
  }
}

const isDropped = ({ behaviour, answer }: Contact) =>
  behaviour === "drops" || (behaviour === "stalls" && answer === "drops");

let current: Providers | undefined;
export function setProviders(providers: Providers): void {
  current = providers;
}

function providers(): Providers {
  if (!current) throw new Error("There are no providers");
  return current;
}

const smtp = {
  refuses: { message: "refused", responseCode: 550, response: "550 5.7.1 refused by a rule", command: "RCPT TO" },
  "puts off": { message: "later", responseCode: 451, response: "451 4.7.1 later", command: "RCPT TO" },
  "is away": { message: "away", code: "ESOCKET", originalCode: "ECONNREFUSED", command: "CONN" },
  drops: { message: "dropped", code: "ECONNECTION", command: "CONN" },
};
const smtpError = (kind: keyof typeof smtp) => Object.assign(new Error(), smtp[kind]);

interface Mail {
  data: { text?: string; to?: { address: string } };
  message: { messageId(): string; createReadStream(): NodeJS.ReadableStream };
}

/** Replaces nodemailer's connection to a server. Like a server, it reads the message only after accepting the recipient. */
const mailServer = {
  name: "simulation",
  version: "1",
  async send({ data, message }: Mail, done: (error: Error | null, info?: object) => void) {
    try {
      const id = message.messageId().replace(/^<|@.*$/g, "");
      const contact = await providers().contact("email", id, data.to?.address ?? "", data.text ?? "");
      const { behaviour } = contact;
      if (behaviour === "refuses" || behaviour === "puts off" || behaviour === "is away")
        return done(smtpError(behaviour));
      await buffer(message.createReadStream());
      if (isDropped(contact)) done(smtpError("drops"));
      else done(null, { messageId: message.messageId() });
    } catch (error) {
      done(error as Error);
    }
  },
};

const networkError = (code: string, syscall: string) =>
  new TypeError("fetch failed", { cause: Object.assign(new Error(code), { code, syscall }) });

const statuses = {
  sms: { answers: 200, stalls: 200, refuses: 400, "puts off": 503 },
  webhook: { answers: 204, stalls: 204, refuses: 410, "puts off": 500 },
};

async function httpProvider(address: string | URL | Request, init?: RequestInit): Promise<Response> {
  const body = JSON.parse(String(init?.body));
  const isSms = String(address).includes("sms");
  const channel = isSms ? "sms" : "webhook";
  const id = isSms ? body.id : new Headers(init?.headers).get("webhook-id")?.replace("msg_", "");
  const contact = await providers().contact(channel, id, body.to ?? "", isSms ? body.text : JSON.stringify(body));
  const { behaviour } = contact;
  if (behaviour === "is away") throw networkError("ECONNREFUSED", "connect");
  if (isDropped(contact) || behaviour === "drops") throw networkError("ECONNRESET", "read");
  const status = statuses[channel][behaviour];
  return new Response(status === 204 ? null : JSON.stringify({ id: contact.providerId }), { status });
}

/** Replaces nodemailer's transport and `fetch`. Returns a function that restores them. */
export function replaceProviders(): () => void {
  const before = { createTransport: nodemailer.createTransport, fetch: globalThis.fetch };
  const mail = nodemailer as { createTransport: unknown };
  mail.createTransport = () => before.createTransport(mailServer as unknown as Transport);
  globalThis.fetch = httpProvider as typeof fetch;
  return () => {
    mail.createTransport = before.createTransport;
    globalThis.fetch = before.fetch;
  };
}
