import { z } from "zod";
import { answers, type InvitableAnswer, invitableAnswers, optionsOf } from "@/lib/domain/application";
import { centsOf, currencyName, plainAmount, writeCents } from "@/lib/domain/money";
import { normalisePhone } from "@/lib/domain/normalise-phone";
import { isSource } from "@/lib/domain/source";
import { unsavable } from "@/lib/schemas/kinds";
import { answerSchema as formSchema } from "@/lib/schemas/steps";
import { linkDays } from "@/lib/server/links/token";
import { normaliseEmail } from "@/lib/server/outbox/normalise-email";
import { currentSettings } from "@/lib/server/settings";

export interface Invitation {
  /** Only the answers that the lender gave. */
  answers: Partial<Record<InvitableAnswer, string>>;
  quotes: string[];
  source: string;
  expiresDays: number;
  /** Why we may write to this person (Spam Act 2003, Australia). */
  consentBasis: string;
}

/** Whether a flag may be repeated. Of several quotes, the highest counts. */
const isRepeatable = (name: InvitableAnswer) => answers[name].kind === "money";
const fieldOf = (name: InvitableAnswer) => (isRepeatable(name) ? "quotes" : name);

/** The fields of an invitation, as the API names them, with the flags of `npm run invite`, which are the columns of its CSV file. */
export const invitationFields = [
  ...invitableAnswers.map((name) => ({
    field: fieldOf(name),
    flag: answers[name].flag ?? name,
    multiple: isRepeatable(name),
  })),
  { field: "source", flag: "source", multiple: false },
  { field: "expiresDays", flag: "expires-days", multiple: false },
  { field: "consentBasis", flag: "consent-basis", multiple: false },
];

function errorText(name: InvitableAnswer, message: string): string {
  const { brand } = currentSettings();
  switch (answers[name].kind) {
    case "email":
      return "is not an email address";
    case "phone":
      return "must be a phone number, such as 61412345678, +61 412 345 678 or 0412 345 678";
    case "money":
      return `must be an amount in ${currencyName(brand)}, such as 2450.00`;
    case "choice":
      return `must be one of ${Object.keys(optionsOf(name)).join(", ")}`;
    default:
      return `cannot be used: ${message}`;
  }
}

function normalised(name: InvitableAnswer, text: string): string {
  switch (answers[name].kind) {
    case "phone":
      return normalisePhone(text);
    case "email":
      return normaliseEmail(text);
    case "money":
      return plainAmount(text);
    default:
      return text;
  }
}

const strings = "must be an array of strings";

/** Accepts what the form's own schema accepts. An empty text counts as not given. */
function answerSchema(name: InvitableAnswer) {
  return z.string(isRepeatable(name) ? strings : "must be a string").transform((text, context) => {
    if (text.trim() === "") return "";
    const { data, error } = formSchema(name, currentSettings().brand).safeParse(normalised(name, text));
    // A text that only parsing makes empty, such as a dial code alone, was meant as an answer, so it is an error.
    if (!error && data !== "") return data;
    context.addIssue(errorText(name, error?.issues[0]?.message ?? ""));
    return z.NEVER;
  });
}

/** How often a flag may be repeated. */
const maxRepeated = 20;

const answerShape = Object.fromEntries(
  invitableAnswers.map((name) => {
    const schema = answerSchema(name);
    const several = z.array(schema, strings).max(maxRepeated, `may be given ${maxRepeated} times at most`);
    return [fieldOf(name), isRepeatable(name) ? several.default([]) : schema.default("")];
  }),
);

export const contactSchema = z.strictObject({
  email: answerSchema("email").optional(),
  mobile: answerSchema("mobile").optional(),
});

/** A short text that no form has, in one Unicode spelling. */
function textSchema(maxLength: number) {
  const tooLong = `must be ${maxLength} characters or fewer`;
  return (
    z
      .string("must be a string")
      .trim()
      // Normalising misordered marks takes quadratic time, so this comes first. NFC shortens a text to a quarter at most.
      .max(maxLength * 4, { error: tooLong, abort: true })
      .normalize("NFC")
      .max(maxLength, tooLong)
      .refine((text) => !unsavable.test(text), "contains characters that cannot be saved")
  );
}

export const batchSchema = textSchema(80);

export const expiresDaysSchema = z
  .string("must be a string")
  .refine((text) => /^[1-9]\d{0,2}$/.test(text) && Number(text) <= 365, "must be a whole number from 1 to 365");

export const invitationSchema = z
  .strictObject({
    ...answerShape,
    source: z
      .string("must be a string")
      .refine((text) => text === "" || isSource(text), "must be letters, digits, - or _ (40 at most)")
      .default(""),
    expiresDays: expiresDaysSchema.default(`${linkDays}`),
    consentBasis: textSchema(200).default(""),
  })
  .transform(({ source, expiresDays, consentBasis, ...rest }, context): Invitation => {
    const texts = rest as Record<string, string>;
    const quotes = (rest as { quotes: string[] }).quotes.filter(Boolean);
    const entries = invitableAnswers.map((name) => [name, isRepeatable(name) ? highest(quotes) : (texts[name] ?? "")]);
    const answers = Object.fromEntries(entries.filter(([, value]) => value !== ""));
    if (!answers.mobile) context.addIssue({ code: "custom", path: ["mobile"], message: "is required" });
    return { answers, quotes, source, expiresDays: Number(expiresDays), consentBasis };
  });

const highest = (quotes: string[]) => (quotes.length > 0 ? writeCents(Math.max(...quotes.map(centsOf))) : "");
