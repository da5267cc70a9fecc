/**
 * Every name, number and link of the lender. Change them here, or per deployment with the BRAND_… settings (docs/settings.md).
 * The defaults are fictitious on purpose: production requires settings for the names to which consent is given.
 */
export interface Brand {
  /** The lender's short name, beside the logo. */
  name: string;
  /** The lending company, as the consent text names it. */
  legalName: string;
  companyNumber: string;
  /** The licence to lend, shown beside the consent text. */
  licence: string;
  /** '{product}' in the specification, as in 'RentAhead Loan' and 'Thanks for applying with RentAhead'. */
  product: string;
  /** The public register that lists the licence. Empty if none is configured. */
  registerUrl: string;
  /** Whether /icon.svg is the lender's own logo instead of the initial of its name. */
  hasLogo: boolean;
  legalUrl: string;
  privacyUrl: string;
  supportEmail: string;
  supportPhone: string;
  supportHours: string;
  /** The cost of the loan, in a sentence or two beside the loan amount. */
  costNote: string;
  /** The specification shows amounts as US dollars, en-US; an Australian lender sets AUD and en-AU here. */
  locale: string;
  currency: string;
  /** The lender's time zone, for times in lists, exports and messages, for "today", and for the hours of reminders. */
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

/** The first letter of the lender's name, which replaces a missing logo. */
export function initialOf(name: string): string {
  return Array.from(name.trim().normalize("NFC"))[0]?.toUpperCase() ?? "";
}
