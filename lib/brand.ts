/**
 * Every name, number and link of the lender. Change them here, or per deployment with the BRAND_… settings (docs/settings.md).
 * These are fictitious on purpose: production requires settings for the names to which consent is given.
 */
export const defaultBrand = {
  /** The lender's short name, beside the logo. */
  name: "Wattle Lane",
  /** The lending company, as the consent text names it. */
  legalName: "Wattle Lane Lending Pty Ltd",
  companyNumber: "ACN 000 000 000",
  /** The licence to lend, shown beside the consent text. */
  licence: "Australian credit licence 000000",
  /** '{product}' in the specification, as in 'RentAhead Loan' and 'Thanks for applying with RentAhead'. */
  product: "RentAhead",
  /** The public register that lists the licence. Empty if none is configured. */
  registerUrl: "",
  /** Whether /icon.svg is the lender's own logo instead of the initial of its name. */
  hasLogo: false,
  legalUrl: "https://wattlelane.example/legal",
  privacyUrl: "https://wattlelane.example/privacy",
  supportEmail: "help@wattlelane.example",
  supportPhone: "1800 000 000",
  supportHours: "Monday to Friday, 9am to 5pm",
  /** Where a declined landlord can complain: a URL, an email address or a phone number. Empty if none is configured. */
  complaints: "",
  /** How long most applications take, as in 'within 24 hours' (specification, section 9). Empty removes the promise. */
  processingTime: "24 hours",
  /** The cost of the loan, in a sentence or two beside the loan amount. */
  costNote:
    "The cost depends on the amount and how long you take to repay it. You'll see all interest and fees in your agreement before you sign.",
  /** The specification shows amounts as US dollars, en-US; an Australian lender sets AUD and en-AU here. */
  locale: "en-US",
  currency: "USD",
  /** The lender's time zone, for times in lists, exports and messages, for "today", and for the hours of reminders. */
  timeZone: "Australia/Sydney",
};

export type Brand = typeof defaultBrand;

/** The address with which a phone calls a number. */
export function callLink(phone: string): string {
  return `tel:${phone.replace(/[^\d+]/g, "")}`;
}

/** A phone abroad cannot reach an Australian 1800 number, so its owner gets the email address as well. */
export function needsEmail({ supportPhone }: Pick<Brand, "supportPhone">, mobile: string): boolean {
  return /^1800/.test(supportPhone.replace(/\D/g, "")) && mobile !== "" && !mobile.startsWith("61");
}

/** The link to a URL, an email address or a phone number. */
function contactLink(contact: string): string {
  if (/^https?:/.test(contact)) return contact;
  return contact.includes("@") ? `mailto:${contact}` : callLink(contact);
}

/** Splits a text at the lender's contacts, so that they can be shown as links. */
export function withLinks(text: string, { supportPhone, supportEmail, complaints }: Brand) {
  let parts: { text: string; href?: string }[] = [{ text }];
  for (const contact of [complaints, supportEmail, supportPhone].filter(Boolean)) {
    const link = { text: contact, href: contactLink(contact) };
    parts = parts.flatMap((part) =>
      part.href
        ? [part]
        : part.text.split(contact).flatMap((other, index) => [...(index > 0 ? [link] : []), { text: other }]),
    );
  }
  return parts.filter((part) => part.text !== "");
}

/** The first letter of the lender's name, which replaces a missing logo. */
export function initialOf(name: string): string {
  return Array.from(name.trim().normalize("NFC"))[0]?.toUpperCase() ?? "";
}
