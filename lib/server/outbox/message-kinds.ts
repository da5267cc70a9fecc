import type { MessageChannel } from "@/prisma/generated/client";

interface MessageRules {
  /** The channels that may send it. A kind without a template for its email or SMS does not compile (templates/texts.ts). */
  channels: readonly MessageChannel[];
  /** Commercial under the Spam Act 2003 (Australia): its recipient can opt out. */
  isCommercial?: true;
  /** When it carries a link to the application: always, or only if it goes to the invited contact. Absent: never. */
  link?: "always" | "to-invited";
  /** It carries a head of the evidence log and the leaf of its submission, or the last leaf if it has no application. */
  hasEvidence?: true;
  /** It carries the figures of all applications: stored in the last 25 hours, or else counted when it is sent. */
  hasFigures?: true;
}

/** Every kind of message. The kind of a webhook is its event type. */
export const messageKinds = {
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
} as const satisfies Record<string, MessageRules>;

type Kinds = typeof messageKinds;
export type MessageKind = keyof Kinds;
export type ChannelOf<K extends MessageKind> = Kinds[K]["channels"][number];
export type KindOfChannel<C extends MessageChannel> = {
  [K in MessageKind]: C extends ChannelOf<K> ? K : never;
}[MessageKind];

export const messageKindOf = (name: MessageKind): MessageRules => messageKinds[name];
export const commercialKinds = (Object.keys(messageKinds) as MessageKind[]).filter(
  (name) => messageKindOf(name).isCommercial,
);
/** Takes any kind, because a newer version may have stored one that this version does not know. */
export const isCommercial = (kind: string) => commercialKinds.some((commercial) => commercial === kind);
