import { hash } from "node:crypto";
import { consentDocument, consentText } from "@/lib/domain/consent";
import type { ShownConsent } from "@/lib/domain/reviewed";
import { currentSettings } from "@/lib/server/settings";

export function consentInForce(): ShownConsent {
  const text = consentText(currentSettings().brand);
  return { ...text, hash: hash("sha256", consentDocument(text)) };
}
