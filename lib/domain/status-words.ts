import type { Brand } from "@/lib/brand";
import type { SubmittedStatus } from "./journey";

interface StatusHeading {
  /** On the badge, in a word or two. */
  name: string;
  heading: string;
}

/** The badge and heading for each status after submission. */
export const statusHeadings: Record<SubmittedStatus, StatusHeading> = {
  submitted: { name: "Received", heading: "Your application has been submitted!" },
  "in-review": { name: "In review", heading: "We are reviewing your application" },
  approved: { name: "Approved", heading: "Your application is approved" },
  declined: { name: "Declined", heading: "We could not approve your application" },
};

/** The text below that heading. */
export interface StatusWords {
  text: string;
  /** Heading of the list of next steps. */
  nextHeading: string;
  next: { title: string; text: string }[];
}

const agreement = {
  title: "You review and sign the final agreement",
  text: "Nothing is final before you have signed it.",
};
const payment = {
  title: "The funds are paid directly to your agent",
  text: "There is nothing for you to pass on.",
};

export function statusWords({ product }: Pick<Brand, "product">): Record<SubmittedStatus, StatusWords> {
  return {
    submitted: {
      text: `Thanks for applying with ${product}. We're now reviewing your details. Most applications are processed within 24 hours.`,
      nextHeading: "What happens next:",
      next: [
        { title: "We review your details", text: "Then we send you an email with the outcome." },
        agreement,
        payment,
      ],
    },
    "in-review": {
      text: "Somebody at our end is going through your details. There is nothing you need to do now.",
      nextHeading: "What happens next:",
      next: [
        {
          title: "We finish our review",
          text: "Then we send you an email with the outcome. If we need anything more, we ask.",
        },
        agreement,
        payment,
      ],
    },
    approved: {
      text: `Good news: your ${product} Loan is approved. What is left is your signature.`,
      nextHeading: "What happens next:",
      next: [
        { title: agreement.title, text: `We send it to you by email. ${agreement.text}` },
        payment,
        { title: "Repayments come from your rent", text: "They are deducted automatically, over time." },
      ],
    },
    declined: {
      text: `We are sorry. After reviewing your details, we cannot offer you a ${product} Loan this time. Your credit score is not affected.`,
      nextHeading: "What you can do:",
      next: [
        { title: "Ask us why", text: "Call or write to us with your reference, and we explain." },
        { title: "Tell us if something has changed", text: "We say whether it is worth applying again." },
      ],
    },
  };
}
