/** A link's source determines wording and the pre-approval field, nothing else (specification, section 6). */
export type LandingVariant = "pre-approval" | "invoice";

const sourcePattern = /^[A-Za-z0-9_-]{1,40}$/;

/** The sources that change what a landlord reads. */
export const knownSources = ["ba", "ia"];

export function isSource(text: string): boolean {
  return sourcePattern.test(text);
}

export function landingVariant(source: string): LandingVariant {
  return source === "ba" ? "pre-approval" : "invoice";
}

/** The noun for what the advance pays first. Every screen of an application uses the same one. */
export function costNoun(source: string): string {
  return source === "ia" ? "invoice" : "repair";
}
