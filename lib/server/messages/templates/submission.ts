import "server-only";
import { centsOf, formatCents } from "@/lib/domain/money";
import { statusWords } from "@/lib/domain/status-words";
import { emailOf } from "./email";
import { type Fact, linkParts, type Part, referenceFact, type Template, timeFact, writtenDay } from "./letter";

const withoutLink: Part =
  "To read your receipt, open the link that you applied with once more. If it has expired, its page offers a new one.";

/** A link goes to the invited address alone: this one may be mistyped. */
export const confirmationEmail = emailOf("confirmation-1", (data, brand) => {
  const { text, nextHeading, next } = statusWords(brand).submitted;
  const amount: Fact[] = data.amount
    ? [["Rental advance asked for", formatCents(centsOf(data.amount), brand, true)]]
    : [];
  const receipt = linkParts(data, brand, "Open your receipt");
  return {
    subject: `We have received your application ${data.reference}`,
    preview: "Keep the reference: with it we find your application at once.",
    heading: "We have received your application",
    name: data.name,
    parts: [
      text,
      { facts: [referenceFact(data), ...timeFact("Received", data.submittedAt, brand), ...amount] },
      ...(receipt.length > 0 ? receipt : [withoutLink]),
      { heading: nextHeading, items: next },
    ],
    why: `You get this because application ${data.reference} was submitted with this address. If you did not apply, please call us.`,
  };
});

/** To the mobile that was invited: whoever else used its link is found out. */
export const notYouSms: Template<string> = {
  version: "not-you-1",
  write: ({ reference, submittedAt }, brand) => {
    const on = submittedAt ? ` on ${writtenDay(submittedAt, brand)}` : "";
    return `${brand.legalName}: application ${reference} for an advance on rent, to which we invited this number, was submitted${on}. If that was you, all is well. Not you? Call ${brand.supportPhone}.`;
  },
};

/** Without the landlord's name: the address is what the landlord typed, and may be wrong. */
export const agentNoticeEmail = emailOf("agent-notice-1", (data, brand) => ({
  subject: `A landlord has named you as managing agent (${data.reference})`,
  preview: `${brand.name} has received an application for an advance on rent.`,
  heading: "A landlord has named you as managing agent",
  parts: [
    `A landlord has applied to ${brand.legalName} for an advance on rent, and named you as the managing agent of the property.`,
    "There is nothing you need to do now. If we need anything from you, we call or write. To ask which property it is, call us with the reference.",
    { facts: [referenceFact(data), ...timeFact("Submitted", data.submittedAt, brand)] },
  ],
  why: `You get this because application ${data.reference} names this address as the managing agent's. If you manage no property, please call us.`,
}));

const where = "Who applied stands in no email. Read it in Studio, or with: npm run applications -- show";
const why = "You get this because your address is in STAFF_EMAILS, a setting of this system.";

export const staffNoticeEmail = emailOf("staff-notice-1", (data, brand) => {
  const amount: Fact[] = data.amount ? [["Rental advance", formatCents(centsOf(data.amount), brand, true)]] : [];
  return {
    subject: `Application ${data.reference} submitted`,
    preview: `${brand.product}: it waits for review.`,
    heading: "An application was submitted",
    parts: [
      "It waits for your review.",
      { facts: [referenceFact(data), ...timeFact("Submitted", data.submittedAt, brand), ...amount] },
      `${where} ${data.reference}`,
    ],
    why,
  };
});
