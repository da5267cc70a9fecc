import "server-only";

interface Kind {
  /** An invitation by the Spam Act 2003 (Australia): it can be stopped, and a stop is heeded. */
  isCommercial?: true;
  /** Whether it carries a link to the application: always, or only where it goes to the contact that was invited. */
  link?: "always" | "to-invited";
}

/** Every kind of message. Those of a webhook are its types. */
export const kinds = {
  invitation: { isCommercial: true, link: "always" },
  reminder: { isCommercial: true, link: "always" },
  "fresh-link": { link: "always" },
  confirmation: { link: "to-invited" },
  status: { link: "to-invited" },
  "not-you": {},
  "staff-notice": {},
  "agent-notice": {},
  test: {},
  "application.submitted": {},
  "application.status_changed": {},
  "link.opened": {},
} as const satisfies Record<string, Kind>;

export type MessageKind = keyof typeof kinds;
export const kindOf = (name: MessageKind): Kind => kinds[name];
export const commercialKinds = (Object.keys(kinds) as MessageKind[]).filter((name) => kindOf(name).isCommercial);
