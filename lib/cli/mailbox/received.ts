/** Older ones are forgotten. */
const most = 300;

export interface Received {
  /** Counted from 1. */
  number: number;
  at: string;
  channel: "email" | "sms" | "webhook";
  from: string;
  /** Who really got it: the addresses of the envelope, not of the headers. */
  to: string[];
  /** Of a webhook its type. */
  subject: string;
  text: string;
  html: string | null;
  headers: { name: string; value: string }[];
  /** Of a webhook: whether its signature is that of the secret which the demo made up. */
  verified?: boolean;
}

/** What came in, newest first, in memory alone. */
export class Inbox {
  readonly received: Received[] = [];
  private last = 0;

  take(message: Omit<Received, "number" | "at">): Received {
    this.last += 1;
    const taken = { number: this.last, at: new Date().toISOString(), ...message };
    this.received.unshift(taken);
    this.received.length = Math.min(this.received.length, most);
    return taken;
  }

  after(number: number): Received[] {
    return this.received.filter((message) => message.number > number);
  }
}
