/**
 * Every name, number and link of the lender. Change it here, or per deployment with the BRAND_… settings of the README.
 * The defaults are fictitious on purpose: production demands the names that a consent is given to as settings.
 */
export interface Brand {
  /** The lender's short name, beside the logo. */
  name: string;
  /** The company that lends, as in the consent text. */
  legalName: string;
  companyNumber: string;
  /** What allows it to lend, as it stands beside the consent text. */
  licence: string;
  /** '{product}' of the specification: 'RentAhead Loan', 'Thanks for applying with RentAhead'. */
  product: string;
  /** The public register in which the licence can be looked up; empty where none is set. */
  registerUrl: string;
  /** Whether /icon.svg is the lender's own logo, and not the initial of its name. */
  hasLogo: boolean;
  legalUrl: string;
  privacyUrl: string;
  supportEmail: string;
  supportPhone: string;
  supportHours: string;
  /** What the loan costs, in a sentence or two beside the loan amount. */
  costNote: string;
  /** The specification shows amounts as US dollars, en-US; an Australian lender sets AUD and en-AU here. */
  locale: string;
  currency: string;
  /** Where the lender works: times in lists, exports and messages, "today", and the hours of reminders. */
  timeZone: string;
}

export const defaultBrand: Brand = {
  name: "Wattle Lane",
  legalName: "Wattle Lane Lending Pty Ltd",
  companyNumber: "ACN 000 000 000",
  licence: "Australian credit licence 000000",
  product: "RentAhead",
  registerUrl: "",
  hasLogo: false,
  legalUrl: "https://wattlelane.example/legal",
  privacyUrl: "https://wattlelane.example/privacy",
  supportEmail: "help@wattlelane.example",
  supportPhone: "1800 000 000",
  supportHours: "Monday to Friday, 9am to 5pm",
  costNote:
    "The cost depends on the amount and how long you take to repay it. You'll see all interest and fees in your agreement before you sign.",
  locale: "en-US",
  currency: "USD",
  timeZone: "Australia/Sydney",
};

/** What stands in for a logo: the first letter of the lender's name. */
export function initialOf(name: string): string {
  return Array.from(name.trim().normalize("NFC"))[0]?.toUpperCase() ?? "";
}
