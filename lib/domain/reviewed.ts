import type { ApplicationView } from "./application";
import type { ConsentText } from "./consent";

export interface Reviewed {
  /** The version of the answers (ApplicationView). */
  answers: string;
  /** SHA-256 of the consent document, in hex. */
  consent: string;
}

export interface ShownConsent extends ConsentText {
  /** SHA-256 of its document, in hex. The server computes it, because browsers can hash only on https. */
  hash: string;
}

/** The `data` of the response to a submission that was refused because something has changed since the review. */
export interface Outdated {
  changed: (keyof Reviewed)[];
  application: ApplicationView;
  /** The consent text in force, if a different one was reviewed. */
  consent?: ShownConsent;
}
