/**
 * Everything that names the lender: change it here, or per deployment with the BRAND_… variables of the README.
 * The defaults are fictitious on purpose.
 */
export interface Brand {
  /** The lender's short name, as in the logo. */
  name: string;
  /** The company that lends, as in the consent text. */
  legalName: string;
  companyNumber: string;
  /** '{product}' of the specification: 'RentAhead Loan', 'Thanks for applying with RentAhead'. */
  product: string;
  legalUrl: string;
  supportEmail: string;
  supportPhone: string;
  supportHours: string;
  /** The specification shows amounts as US dollars, en-US; an Australian lender sets AUD and en-AU here. */
  locale: string;
  currency: string;
}

export const defaultBrand: Brand = {
  name: "Wattle Lane",
  legalName: "Wattle Lane Lending Pty Ltd",
  companyNumber: "ACN 000 000 000",
  product: "RentAhead",
  legalUrl: "https://wattlelane.example/legal",
  supportEmail: "help@wattlelane.example",
  supportPhone: "1800 000 000",
  supportHours: "Monday to Friday, 9am to 5pm",
  locale: "en-US",
  currency: "USD",
};

/** What an applicant reads of an application that is in, by where operations say it stands. */
export interface StatusWords {
  /** In a word or two. */
  standing: string;
  heading: string;
  text: string;
  /** What comes next, and what it is headed with. */
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

export function statusWords({
  product,
}: Pick<Brand, "product">): Record<"submitted" | "in-review" | "approved" | "declined", StatusWords> {
  return {
    submitted: {
      standing: "Received",
      heading: "Your application has been submitted!",
      text: `Thanks for applying with ${product}. We're now reviewing your details. Most applications are processed within 24 hours.`,
      nextHeading: "What happens next:",
      next: [
        { title: "We review your details", text: "Then we send you an email with the outcome." },
        agreement,
        payment,
      ],
    },
    "in-review": {
      standing: "In review",
      heading: "We are reviewing your application",
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
      standing: "Approved",
      heading: "Your application is approved",
      text: `Good news: your ${product} Loan is approved. What is left is your signature.`,
      nextHeading: "What happens next:",
      next: [
        { title: agreement.title, text: `We send it to you by email. ${agreement.text}` },
        payment,
        { title: "Repayments come from your rent", text: "They are deducted automatically, over time." },
      ],
    },
    declined: {
      standing: "Declined",
      heading: "We could not approve your application",
      text: `We are sorry. After reviewing your details, we cannot offer you a ${product} Loan this time. Your credit score is not affected.`,
      nextHeading: "What you can do:",
      next: [
        { title: "Ask us why", text: "Call or write to us with your reference, and we explain." },
        { title: "Tell us if something has changed", text: "We say whether it is worth applying again." },
      ],
    },
  };
}
