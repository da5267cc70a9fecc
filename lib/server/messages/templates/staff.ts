import "server-only";
import { centsOf, formatCents } from "@/lib/domain/money";
import { emailOf, type Fact } from "./letter";
import { referenceFact, timeFact } from "./link-parts";

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
