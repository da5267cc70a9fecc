import type { RenderedEmail, Template, TemplateData } from "@/lib/server/templates/letter";
import { texts } from "@/lib/server/templates/texts";

/** A value for everything that a message may mention. */
export const everyValue: TemplateData = {
  reference: "K7QM-4XRT",
  name: "Ada",
  link: `https://apply.example/?token=${"kT4vPz9_QxW".repeat(4).slice(0, 43)}&source=ba`,
  linkUntil: new Date("2026-12-21T04:00:00Z"),
  stop: `https://apply.example/stop?code=${"Zm9vYmFy".repeat(4)}`,
  desk: "https://desk.example/desk/K7QM-4XRT",
  submittedAt: new Date("2026-11-21T00:30:00Z"),
  status: "in-review",
  amount: "24050.5",
  evidence: {
    leaf: { index: 12, hash: "1eaf".repeat(16) },
    head: { size: 13, root: "4007".repeat(16), at: "2026-11-21T00:30:01.000Z", key: "key", signature: "signature" },
  },
  figures: {
    countedAt: new Date("2026-11-23T07:00:00Z"),
    figures: [
      {
        group: "",
        stages: [
          { stage: "invited", count: 1000, stopped: 250, ofInvited: 1, ofBefore: 1, medianSeconds: null },
          { stage: "submitted", count: 750, stopped: 750, ofInvited: 0.75, ofBefore: 0.75, medianSeconds: 7300 },
        ],
        amounts: [
          { name: "asked", count: 750, total: "18037500.25", median: "24050" },
          { name: "declined", count: 0, total: "0", median: null },
        ],
        bounced: 12,
        optedOut: 3,
      },
    ],
  },
};

const entries = Object.entries(texts) as [string, { email?: Template<RenderedEmail>; sms?: Template<string> }][];
/** The texts of each channel, by kind of message. */
export const emails = Object.fromEntries(entries.flatMap(([kind, { email }]) => (email ? [[kind, email]] : [])));
export const smsTexts = Object.fromEntries(entries.flatMap(([kind, { sms }]) => (sms ? [[kind, sms]] : [])));
