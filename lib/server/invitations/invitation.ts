import { z } from "zod";
import { answers, type InvitableAnswer, invitableAnswers, optionsOf } from "@/lib/domain/application";
import { centsOf, currencyName, plainAmount, writeCents } from "@/lib/domain/money";
import { isSource } from "@/lib/domain/source";
import { unsavable } from "@/lib/schemas/kinds";
import { answerSchema as formSchema } from "@/lib/schemas/steps";
import { linkDays } from "@/lib/server/links/token";
import { currentSettings } from "@/lib/server/settings";
import { normalisePhone } from "./normalise-phone";

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
const flagOf = (name: InvitableAnswer) => answers[name].flag ?? name;

/** The flags of `npm run invite`, which are the columns of its CSV file. */
export const invitationFlags = [
  ...invitableAnswers.map((name) => ({ flag: flagOf(name), multiple: isRepeatable(name) })),
  { flag: "source", multiple: false },
  { flag: "expires-days", multiple: false },
  { flag: "consent-basis", multiple: false },
];

/** Maps the fields of the invitation API to the flags of the command. */
export const fieldFlags = new Map<string, string>([
  ...invitableAnswers.map((name) => [isRepeatable(name) ? "quotes" : name, flagOf(name)] as const),
  ["source", "source"],
  ["expiresDays", "expires-days"],
  ["consentBasis", "consent-basis"],
]);

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
    case "money":
      return plainAmount(text);
    default:
      return text;
  }
}

const strings = "an array of strings";

/** Accepts what the form's own schema accepts. An empty text counts as not given. */
function answerSchema(name: InvitableAnswer) {
  return z.string(`${flagOf(name)} must be ${isRepeatable(name) ? strings : "a string"}`).transform((text, context) => {
    if (text.trim() === "") return "";
    const { data, error } = formSchema(name, currentSettings().brand).safeParse(normalised(name, text));
    // A text that only parsing makes empty, such as a dial code alone, was meant as an answer, so it is an error.
    if (!error && data !== "") return data;
    context.addIssue(`${flagOf(name)} ${errorText(name, error?.issues[0]?.message ?? "")}`);
    return z.NEVER;
  });
}

/** How often a flag may be repeated. */
const maxRepeated = 20;

const answerShape = Object.fromEntries(
  invitableAnswers.map((name) => {
    const schema = answerSchema(name);
    return [
      flagOf(name),
      isRepeatable(name)
        ? z
            .array(schema, `${flagOf(name)} must be ${strings}`)
            .max(maxRepeated, `${flagOf(name)} may be given ${maxRepeated} times at most`)
            .default([])
        : schema.default(""),
    ];
  }),
);

export const contactSchema = z.strictObject({
  email: answerSchema("email").optional(),
  mobile: answerSchema("mobile").optional(),
});

/** A short text that no form has, in one Unicode spelling. */
function textSchema(name: string, maxLength: number) {
  const tooLong = `${name} must be ${maxLength} characters or fewer`;
  return (
    z
      .string(`${name} must be a string`)
      .trim()
      // Normalising misordered marks takes quadratic time, so this comes first. NFC shortens a text to a quarter at most.
      .max(maxLength * 4, { error: tooLong, abort: true })
      .normalize("NFC")
      .max(maxLength, tooLong)
      .refine((text) => !unsavable.test(text), `${name} contains characters that cannot be saved`)
  );
}

export const batchSchema = textSchema("batch", 80);

export const expiresDaysSchema = z
  .string("expires-days must be a string")
  .refine(
    (text) => /^[1-9]\d{0,2}$/.test(text) && Number(text) <= 365,
    "expires-days must be a whole number from 1 to 365",
  );

export const invitationSchema = z
  .strictObject({
    ...answerShape,
    source: z
      .string("source must be a string")
      .refine((text) => text === "" || isSource(text), "source must be letters, digits, - or _ (40 at most)")
      .default(""),
    "expires-days": expiresDaysSchema.default(`${linkDays}`),
    "consent-basis": textSchema("consent-basis", 200).default(""),
  })
  .transform(({ source, "expires-days": expiresDays, "consent-basis": consentBasis, ...rest }, context): Invitation => {
    const values = rest as Record<string, string | string[]>;
    const quotes = invitableAnswers
      .filter(isRepeatable)
      .flatMap((name) => values[flagOf(name)] ?? [])
      .filter(Boolean);
    const entries = invitableAnswers.map((name) => [name, highest(values[flagOf(name)] ?? "")] as const);
    const answers = Object.fromEntries(entries.filter(([, value]) => value !== ""));
    if (!answers.mobile) context.addIssue("mobile is required");
    return { answers, quotes, source, expiresDays: Number(expiresDays), consentBasis };
  });

function highest(value: string | string[]): string {
  if (!Array.isArray(value)) return value;
  const given = value.filter(Boolean);
  return given.length > 0 ? writeCents(Math.max(...given.map(centsOf))) : "";
}
