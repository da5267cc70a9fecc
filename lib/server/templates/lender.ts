import type { Brand } from "@/lib/brand";
import { timeInWords } from "@/lib/domain/zone-time";
import {
  amountHeadings,
  amountRows,
  bouncesAndOptOuts,
  funnelHeadings,
  funnelRows,
} from "@/lib/server/figures/figure-words";
import type { CountedFigures } from "@/lib/server/figures/stored-figures";
import { emailOf } from "./email";
import type { Template } from "./letter";

/** Sent once a day to EVIDENCE_EMAIL. */
export const evidenceHeadEmail = emailOf("evidence-head-6", (_, brand) => ({
  subject: `Evidence log of ${brand.name}`,
  preview: "Keep it where nobody who runs the system can change it.",
  heading: "The evidence log today",
  parts: [
    "This is the head of the log of consents and decisions. Keep it where nobody who runs the system can change it.",
    'Save the line that begins with {"leaf" to a file. To compare the log with it, run: npm run evidence -- verify --against FILE',
  ],
  why: "You're receiving this because your address is in the setting EVIDENCE_EMAIL.",
}));

const weeklyFigures = ({ figures: [all], countedAt }: CountedFigures, brand: Brand) => [
  `These figures are from ${timeInWords(countedAt, brand)}. Someone who reached a later stage also counts for every stage before it.`,
  ...(all
    ? [
        { headings: funnelHeadings, rows: funnelRows(all) },
        bouncesAndOptOuts(all),
        { headings: amountHeadings, rows: amountRows(all, brand) },
      ]
    : []),
  "The attached page has charts, and the figures of each week. To see one batch: npm run figures -- --help",
];

/** Sent on Mondays to FIGURES_EMAIL. */
export const weeklyFiguresEmail = emailOf("weekly-figures-10", ({ figures }, brand) => ({
  subject: `Weekly figures for ${brand.product}`,
  preview: "How many people reached each stage.",
  heading: "Progress of everyone we've invited",
  parts: figures ? weeklyFigures(figures, brand) : [],
  why: "You're receiving this because your address is in the setting FIGURES_EMAIL.",
}));

export const testEmail = emailOf("test-4", (_, brand) => ({
  subject: `Test message from ${brand.name}`,
  preview: "Email works.",
  heading: "Email works",
  parts: [`This is a test of the emails that ${brand.product} sends. You don't need to do anything.`],
  why: "You're receiving this because someone who runs this system asked for a test message to this address.",
}));

export const testSms: Template<string> = {
  version: "test-2",
  render: (_, { legalName, product, supportPhone }) =>
    `${legalName}: a test of the text messages that ${product} sends. You don't need to do anything. Questions? Call ${supportPhone}.`,
};
