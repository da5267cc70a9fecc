import type { Brand } from "@/lib/brand";

interface Status<Name extends string> {
  /** The badge. */
  name: string;
  heading: string;
  /** Whether the lender has decided. */
  isDecision: boolean;
  /** Whether a decision made before stays the decision. */
  keepsDecision?: true;
  /** The only status that this one may follow. Without it, it may follow any. */
  after?: Name;
  /** The text below the heading. */
  words: (brand: Brand) => {
    text: string;
    nextHeading: string;
    next: { title: string; text: string }[];
    /** Set if `next` are choices, not steps that follow each other. */
    isUnordered?: true;
  };
}

const agreement = {
  title: "You review and sign the final agreement",
  text: "Nothing is final until you've signed it.",
};
const payment = {
  title: "The funds are paid directly to your agent",
  text: "The money goes straight to them, so you don't need to do anything.",
};
const repayments = { title: "Repayments come from your rent", text: "Your agent will deduct them over time." };

const declareStatuses = <Name extends string>(declared: Record<Name, Status<NoInfer<Name>>>) => declared;

/** Every status after 'draft'. Operations may set any of them. */
export const statuses = declareStatuses({
  submitted: {
    name: "Received",
    heading: "Your application has been submitted!",
    isDecision: false,
    words: ({ product, processingTime }) => ({
      text: `Thanks for applying with ${product}. We're now reviewing your details.${processingTime && ` Most applications are processed within ${processingTime}.`}`,
      nextHeading: "What happens next:",
      next: [{ title: "We review your details", text: "We'll email you the outcome." }, agreement, payment],
    }),
  },
  "in-review": {
    name: "In review",
    heading: "We're reviewing your application",
    isDecision: false,
    words: () => ({
      text: "We're reviewing your details. You don't need to do anything now.",
      nextHeading: "What happens next:",
      next: [
        { title: "We finish our review", text: "We'll email you the outcome. If we need anything else, we'll ask." },
        agreement,
        payment,
      ],
    }),
  },
  approved: {
    name: "Approved",
    heading: "Your application is approved",
    isDecision: true,
    words: ({ product }) => ({
      text: `Good news: your ${product} Loan is approved. All that's left is to sign.`,
      nextHeading: "What happens next:",
      next: [{ title: agreement.title, text: `We'll email it to you. ${agreement.text}` }, payment, repayments],
    }),
  },
  declined: {
    name: "Declined",
    heading: "We couldn't approve your application",
    isDecision: true,
    words: ({ product, supportPhone, supportEmail, complaints }) => ({
      text: `We're sorry. We've reviewed your details, and we can't offer you the ${product} Loan this time. Your credit score isn't affected.`,
      nextHeading: "What you can do:",
      next: [
        {
          title: "Ask us why",
          text: `Call ${supportPhone} or email ${supportEmail}. Quote your reference and we'll explain.`,
        },
        { title: "Tell us if something has changed", text: "We'll tell you whether it's worth applying again." },
        ...(complaints
          ? [{ title: "Make a complaint", text: `If you're unhappy with our decision, use ${complaints} to complain.` }]
          : []),
      ],
      isUnordered: true,
    }),
  },
  withdrawn: {
    name: "Withdrawn",
    heading: "Your application is withdrawn",
    isDecision: false,
    keepsDecision: true,
    words: ({ product, supportPhone, supportEmail }) => ({
      text: `As you asked, we've withdrawn your application for the ${product} Loan. You don't need to do anything more.`,
      nextHeading: "What you can do:",
      next: [
        {
          title: "Tell us if you didn't ask for this",
          text: `Call ${supportPhone} or email ${supportEmail}. Quote your reference and we'll put it right.`,
        },
        { title: "Come back to us", text: "If you change your mind, contact us and we'll tell you how to go on." },
      ],
      isUnordered: true,
    }),
  },
  paid: {
    name: "Paid",
    heading: "The funds have gone to your agent",
    isDecision: false,
    keepsDecision: true,
    after: "approved",
    words: ({ product }) => ({
      text: `We've paid the funds of your ${product} Loan directly to your agent.`,
      nextHeading: "What happens next:",
      next: [
        { title: "Your agent receives the funds", text: "Ask your agent if you'd like to know when they arrive." },
        repayments,
      ],
    }),
  },
});

export type StatusAfterSubmission = keyof typeof statuses;
export type ApplicationStatus = "draft" | StatusAfterSubmission;
export const statusesAfterSubmission = Object.keys(statuses) as StatusAfterSubmission[];
export const decidedStatuses = statusesAfterSubmission.filter((status) => statuses[status].isDecision);
export const keepingStatuses = statusesAfterSubmission.filter((status) => statuses[status].keepsDecision);
export const applicationStatuses: ApplicationStatus[] = ["draft", ...statusesAfterSubmission];
