import type { Browser } from "@/__tests__/engines/browser";

export type Journey = (browser: Browser) => Promise<void>;

/** By what each is about. */
export type Journeys = Record<string, Journey>;
