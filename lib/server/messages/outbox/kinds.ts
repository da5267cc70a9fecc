import "server-only";
import type { MessageChannel } from "@/prisma/generated/client";

interface Kind {
  /** By which it may be sent. For email and SMS, a kind without its texts does not compile (templates/texts.ts). */
  channels: readonly MessageChannel[];
  /** An invitation by the Spam Act 2003 (Australia): it can be stopped, and a stop is heeded. */
  isCommercial?: true;
  /** Whether it carries a link to the application: always, or only where it goes to the contact that was invited. */
  link?: "always" | "to-invited";
  /** It carries the leaf of the submission, or else the last one, and a head of the evidence log. */
  hasEvidence?: true;
  /** It carries the figures of all applications, as they are when it is sent. */
  hasFigures?: true;
}

/** Every kind of message. Those of a webhook are its types. */
export const kinds = {
  invitation: { channels: ["email", "sms"], isCommercial: true, link: "always" },
  reminder: { channels: ["email", "sms"], isCommercial: true, link: "always" },
  "fresh-link": { channels: ["email", "sms"], link: "always" },
  confirmation: { channels: ["email"], link: "to-invited", hasEvidence: true },
  status: { channels: ["email"], link: "to-invited" },
  "not-you": { channels: ["sms"] },
  "staff-notice": { channels: ["email"] },
  "agent-notice": { channels: ["email"] },
  "evidence-head": { channels: ["email"], hasEvidence: true },
  "weekly-figures": { channels: ["email"], hasFigures: true },
  test: { channels: ["email", "sms"] },
  "application.submitted": { channels: ["webhook"], hasEvidence: true },
  "application.status_changed": { channels: ["webhook"] },
  "link.opened": { channels: ["webhook"] },
} as const satisfies Record<string, Kind>;

type Kinds = typeof kinds;
export type MessageKind = keyof Kinds;
export type ChannelOf<K extends MessageKind> = Kinds[K]["channels"][number];
/** The kinds that may be sent by a channel. */
export type KindBy<C extends MessageChannel> = {
  [K in MessageKind]: C extends ChannelOf<K> ? K : never;
}[MessageKind];

export const kindOf = (name: MessageKind): Kind => kinds[name];
export const commercialKinds = (Object.keys(kinds) as MessageKind[]).filter((name) => kindOf(name).isCommercial);
