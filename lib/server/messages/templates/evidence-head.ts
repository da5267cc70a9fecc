import "server-only";
import { emailOf } from "./email";

/** Once a day to EVIDENCE_EMAIL. */
export const evidenceHeadEmail = emailOf("evidence-head-3", (_, brand) => ({
  subject: `Evidence log of ${brand.name}`,
  preview: "Keep it where nobody who runs the system can change it.",
  heading: "The evidence log today",
  parts: [
    "This is the head of the log of consents and decisions. Keep it where nobody who runs the system can change it.",
    "To compare the log with it, save the last line to a file: npm run evidence -- verify --against FILE",
  ],
  why: "You're getting this because your address is in the setting EVIDENCE_EMAIL.",
}));
