import { readFileSync, statSync } from "node:fs";
import { z } from "zod";
import { tidyAmount } from "@/lib/domain/money";
import { optionalText, optionalUrl } from "./setting-kinds";

/** An optional text that `parse` accepts, such as JSON.parse or a constructor of Intl. */
export const textAcceptedBy = (parse: (text: string) => unknown, error: string) =>
  optionalText.refine((text) => {
    try {
      return text === undefined || Boolean(parse(text));
    } catch {
      return false;
    }
  }, error);

const isPhone = (text: string) => /^\+?(?:[\s().-]*\d){3,15}$/.test(text) && !text.includes("(0)");
const contact = z.union([z.url({ protocol: /^https?$/ }), z.email(), z.string().refine(isPhone)]);

const maxLogoBytes = 64 * 1024;
const svgRoot =
  /^\uFEFF?\s*(?:<\?xml[^>]*>\s*)?(?:<!--(?:(?!-->)[\s\S])*-->\s*)*<svg\s[^>]*xmlns="http:\/\/www\.w3\.org\/2000\/svg"/;
/** Scripts and references to external content. Browsers ignore both in an <img>, but not if the file is opened directly. */
const activeContent =
  /<script|<foreignObject|<!(?:DOCTYPE|ENTITY)|\son\w+\s*=|javascript:|@import|(?:href|src)\s*=\s*["'](?!#|data:image\/)|url\(\s*["']?(?!#|["']?data:image\/)/i;

/** Reads the SVG in BRAND_LOGO_FILE. Throws an error that says what is wrong with the file. */
function readLogo(path: string): string {
  if (!statSync(path, { throwIfNoEntry: false })?.isFile()) throw new Error("is not a readable file");
  const bytes = readFileSync(path);
  if (bytes.length > maxLogoBytes) throw new Error("is larger than 64 kB");
  const svg = bytes.toString("utf8");
  if (!svgRoot.test(svg) || !/<\/svg>\s*$/.test(svg))
    throw new Error('is not an SVG with xmlns="http://www.w3.org/2000/svg"');
  if (activeContent.test(svg)) throw new Error("contains scripts or loads external content");
  return svg;
}

/** Reads the file, so that the setting's value is the SVG itself. */
const logo = optionalText.transform((path, context) => {
  try {
    return path && readLogo(path);
  } catch (error) {
    context.addIssue((error as Error).message);
    return z.NEVER;
  }
});

/** The settings of the lender, one for each part of the brand (lib/brand.ts). */
export const brandSettings = {
  BRAND_NAME: optionalText.describe("the lender's short name"),
  BRAND_LEGAL_NAME: optionalText.describe("the company that lends"),
  BRAND_COMPANY_NUMBER: optionalText.describe("its company number"),
  BRAND_LICENCE: optionalText.describe("its credit licence"),
  BRAND_PRODUCT: optionalText
    .refine((text = "") => !/\bloan$/i.test(text), "ends with 'Loan', which the texts add")
    .describe("the name of the loan, without the word 'Loan', which the texts add"),
  BRAND_LOGO_FILE: logo.describe("an SVG of at most 64 kB, without scripts; by default, the initial of the name"),
  BRAND_REGISTER_URL: optionalUrl.describe("the public register in which the licence can be looked up"),
  BRAND_LEGAL_URL: optionalUrl.describe("the legal documents"),
  BRAND_PRIVACY_URL: optionalUrl.describe("the privacy notice"),
  BRAND_SUPPORT_EMAIL: z.email().optional().describe("the support email address"),
  // A tap on it dials its digits: those of '1800 RENTAL' or '+61 (0)2 …' would reach somebody else.
  BRAND_SUPPORT_PHONE: textAcceptedBy(isPhone, "is not a single number in digits, such as +61 2 5550 1234").describe(
    "the support phone number, in digits",
  ),
  BRAND_SUPPORT_HOURS: optionalText.describe("the hours when support answers"),
  BRAND_PROCESSING_TIME: z
    .string()
    .trim()
    .optional()
    .describe("how long most applications take; if empty, nothing is promised"),
  BRAND_COMPLAINTS: textAcceptedBy(
    (text) => contact.safeParse(text).success,
    "is not a URL, an email address or a phone number",
  ).describe("where a declined landlord can complain: a URL, an email address or a phone number"),
  BRAND_COST_NOTE: optionalText.describe(
    "what the loan costs and when the applicant sees the exact cost, beside the amount",
  ),
  // Every sentence is English. A landlord types '33.650' as it is shown, and the amount field would read it as 33.65.
  BRAND_LOCALE: textAcceptedBy(
    (text) => /^en(-[A-Z]{2})?$/.test(text) && tidyAmount(new Intl.NumberFormat(text).format(33650.05)) === "33650.05",
    "is not an English locale whose amounts the form can read, such as en-AU",
  ).describe("the English in which amounts and dates are written; an Australian lender sets en-AU"),
  BRAND_CURRENCY: textAcceptedBy(
    (text) => Intl.supportedValuesOf("currency").includes(text),
    "is not a currency code such as AUD",
  ).describe("the currency of every amount; an Australian lender sets AUD"),
  // Node and Postgres understand abbreviations differently: ACT is Darwin here and Acre there, and Postgres refuses AET.
  BRAND_TIME_ZONE: textAcceptedBy(
    (text) => /\/|^UTC$/.test(text) && new Intl.DateTimeFormat("en", { timeZone: text }),
    "is not a zone such as Australia/Perth",
  ).describe('times in lists, exports and messages, what "today" is, and the hours in which reminders are sent'),
};
