import type { Brand } from "@/lib/brand";
import { centsOf, formatCents } from "@/lib/domain/money";
import { statuses } from "@/lib/domain/statuses";
import { dayAndMonth, timeInWords } from "@/lib/domain/zone-time";
import { emailOf } from "./email";
import { type Fact, linkParts, type Part, referenceFact, type Template, type TemplateData } from "./letter";

const withoutLink =
  "To see your application and receipt, open the link you used to apply. If it has expired, you can ask for a new one there.";

function linkOrAdvice(data: TemplateData, brand: Brand): Part[] {
  const link = linkParts(data, brand);
  return link.length > 0 ? link : [withoutLink];
}

const submittedFacts = (label: string, data: TemplateData, brand: Brand): Fact[] => [
  referenceFact(data),
  ...(data.submittedAt ? [[label, timeInWords(data.submittedAt, brand)] as const] : []),
];

const amountFact = (label: string, { amount }: TemplateData, brand: Brand): Fact[] =>
  amount ? [[label, formatCents(centsOf(amount), brand, true)]] : [];

/** True of the address in the answers and of the invited one, to which a link for a submitted application goes. */
const whyApplicant = ({ reference }: TemplateData) =>
  `We sent you this because your email address is on application ${reference}. If you didn't apply, please call us.`;

/**
 * Says what happens next only while that is true: a mail server may defer it until after the decision. Contains a link only if
 * it goes to the invited address, because an address from the answers may be mistyped.
 */
export const confirmationEmail = emailOf("confirmation-7", (data, brand) => {
  const { text, nextHeading, next } = statuses.submitted.words(brand);
  const isDecided = data.status !== undefined && data.status !== "submitted";
  return {
    subject: `We've received your application ${data.reference}`,
    preview: "Quote your reference when you contact us.",
    heading: "We've received your application",
    name: data.name,
    parts: [
      ...(isDecided ? [] : [text]),
      { facts: [...submittedFacts("Received", data, brand), ...amountFact("Rental advance requested", data, brand)] },
      ...linkOrAdvice(data, brand),
      ...(isDecided ? [] : [{ heading: nextHeading, items: next }]),
    ],
    why: whyApplicant(data),
  };
});

/** Goes to the invited mobile, so that its owner finds out if someone else used the link. */
export const notYouSms: Template<string> = {
  version: "not-you-5",
  render: ({ reference, submittedAt }, brand) => {
    const on = submittedAt ? ` on ${dayAndMonth(submittedAt, brand)}` : "";
    return `${brand.legalName}: someone applied${on} with the link we sent you (ref ${reference}). If that was you, you don't need to do anything. If not, call ${brand.supportPhone}.`;
  },
};

/** Omits the landlord's name, because the landlord typed the agent's address and may have mistyped it. */
export const agentNoticeEmail = emailOf("agent-notice-6", (data, brand) => ({
  subject: `A landlord has named you as their managing agent (${data.reference})`,
  preview: `A landlord has applied to ${brand.name}.`,
  heading: "A landlord has named you as their managing agent",
  parts: [
    `A landlord has applied to ${brand.legalName} for an advance on rental income. They named you as their managing agent.`,
    "You don't need to do anything now. If we need anything from you, we'll call or email. To find out which property this is about, call us and quote the reference.",
    { facts: submittedFacts("Submitted", data, brand) },
  ],
  why: `You're receiving this because a landlord gave us this address for their agent (ref ${data.reference}). If you don't manage rental properties, please call us.`,
}));

const where = "We leave names out of this email. To see who applied, open Studio or run: npm run applications -- show";

export const staffNoticeEmail = emailOf("staff-notice-6", (data, brand) => ({
  subject: `Application ${data.reference} submitted`,
  preview: `${brand.product}: it's ready for review.`,
  heading: "An application has been submitted",
  parts: [
    "It's ready for your review.",
    { facts: [...submittedFacts("Submitted", data, brand), ...amountFact("Rental advance", data, brand)] },
    ...(data.desk
      ? ["We leave names out of this email.", { button: "Open the application", link: data.desk }]
      : [`${where} ${data.reference}`]),
  ],
  why: "You're receiving this because your address is in STAFF_EMAILS, a setting of this system.",
}));

/** The subject names an approval. Other decisions are not for those who see a locked screen. */
export const statusEmail = emailOf("status-10", (data, brand) => {
  const status = data.status === undefined || data.status === "draft" ? "submitted" : data.status;
  const { text, nextHeading, next, isUnordered } = statuses[status].words(brand);
  const { name, heading } = statuses[status];
  return {
    subject:
      status === "approved"
        ? `Approved: your application ${data.reference}`
        : `Update on your application ${data.reference}`,
    preview: `${brand.name} has an update for you.`,
    heading,
    name: data.name,
    parts: [
      text,
      { facts: [referenceFact(data), ["Status", name]] },
      ...linkOrAdvice(data, brand),
      { heading: nextHeading, items: next, isUnordered },
    ],
    why: whyApplicant(data),
  };
});
