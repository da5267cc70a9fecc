import type { ApplicationView } from "./application";
import type { ConsentText } from "./consent";

/** What a submission says its screen has shown (product.md, 'What was read is what is submitted'). */
export interface Reviewed {
  /** The answers' version (ApplicationView). */
  answers: string;
  /** SHA-256 of the consent document, in hex. */
  consent: string;
}

/** The consent text as it is shown. */
export interface ShownConsent extends ConsentText {
  /** SHA-256 of its document, in hex. From the server: browsers hash on https only. */
  hash: string;
}

/** The `data` of a submission that was refused because what was read is no longer what would be submitted. */
export interface Outdated {
  changed: (keyof Reviewed)[];
  /** As it stands now. */
  application: ApplicationView;
  /** The text in force, where another one was read. */
  consent?: ShownConsent;
}
