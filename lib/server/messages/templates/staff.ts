import "server-only";
import { centsOf, formatCents } from "@/lib/domain/money";
import { emailOf, type Fact } from "./letter";
import { referenceFact, timeFact } from "./link-parts";
import { writtenTime } from "./written-times";

/** Gmail cuts an email off at 102 KB. */
const mostListed = 100;

const where = "Who applied stands in no email. Read it in Studio, or with: npm run applications -- show";
const why = "You get this because your address is in STAFF_EMAILS, a setting of this system.";

export const staffNoticeEmail = emailOf("staff-notice-1", (told, brand) => {
  const amount: Fact[] = told.amount ? [["Rental advance", formatCents(centsOf(told.amount), brand, true)]] : [];
  return {
    subject: `Application ${told.reference} submitted`,
    preview: `${brand.product}: it waits for review.`,
    heading: "An application was submitted",
    parts: [
      "It waits for your review.",
      { facts: [referenceFact(told), ...timeFact("Submitted", told.submittedAt, brand), ...amount] },
      `${where} ${told.reference}`,
    ],
    why,
  };
});

export const staffDigestEmail = emailOf("staff-digest-1", ({ submissions = [] }, brand) => {
  const listed = submissions.slice(0, mostListed);
  const count = submissions.length === 1 ? "1 application" : `${submissions.length} applications`;
  return {
    subject: `${count} submitted`,
    preview: `${brand.product}: what came in since the last of these emails.`,
    heading: `${count} submitted`,
    parts: [
      "Since the last of these emails, oldest first.",
      ...(listed.length > 0
        ? [{ facts: listed.map((one): Fact => [writtenTime(one.submittedAt, brand), one.reference]) }]
        : []),
      ...(submissions.length > listed.length ? [`And ${submissions.length - listed.length} more.`] : []),
      `${where} REFERENCE`,
    ],
    why,
  };
});
