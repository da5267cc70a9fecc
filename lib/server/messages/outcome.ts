import "server-only";

/** What came of one attempt to send. An error is a name or a code ('550 5.1.1', 'ECONNREFUSED'), never the provider's text. */
export type Outcome =
  | { state: "sent"; providerId?: string }
  /** For good. */
  | { state: "failed"; error: string }
  /** This message alone, for now: tried again by its channel's schedule, or after so long. */
  | { state: "later"; error: string; afterSeconds?: number }
  /** The provider as a whole: nothing of the channel is tried for some seconds. */
  | { state: "away"; error: string }
  /** Perhaps sent. A person decides. */
  | { state: "unknown"; error: string };
