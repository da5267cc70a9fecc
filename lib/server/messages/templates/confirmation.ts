import "server-only";
import { centsOf, formatCents } from "@/lib/domain/money";
import { statusWords } from "@/lib/domain/status-words";
import { emailOf, type Fact, type Part } from "./letter";
import { linkParts, referenceFact, timeFact } from "./link-parts";

const withoutLink: Part =
  "To read your receipt, open the link that you applied with once more. If it has expired, its page offers a new one.";

/** A link goes to the invited address alone: this one may be mistyped. */
export const confirmationEmail = emailOf("confirmation-1", (told, brand) => {
  const { text, nextHeading, next } = statusWords(brand).submitted;
  const amount: Fact[] = told.amount
    ? [["Rental advance asked for", formatCents(centsOf(told.amount), brand, true)]]
    : [];
  const receipt = linkParts(told, brand, "Open your receipt");
  return {
    subject: `We have received your application ${told.reference}`,
    preview: "Keep the reference: with it we find your application at once.",
    heading: "We have received your application",
    name: told.name,
    parts: [
      text,
      { facts: [referenceFact(told), ...timeFact("Received", told.submittedAt, brand), ...amount] },
      ...(receipt.length > 0 ? receipt : [withoutLink]),
      { heading: nextHeading, items: next },
    ],
    why: `You get this because application ${told.reference} was submitted with this address. If you did not apply, please call us.`,
  };
});
