import "server-only";
import { createHash } from "node:crypto";
import { consentDocument, consentText } from "@/lib/domain/consent";
import type { ShownConsent } from "@/lib/domain/reviewed";
import { currentSettings } from "@/lib/server/env";

/** The consent document of this deployment, for the page that shows it and the submission that records it. */
export function consentInForce(): ShownConsent {
  const text = consentText(currentSettings().brand);
  const document = consentDocument(text);
  return { version: text.version, document, hash: createHash("sha256").update(document).digest("hex") };
}
