import "server-only";
import { z } from "zod";
import { answers, type InvitableAnswer, invitableAnswers } from "@/lib/domain/application";
import { centsOf, currencyName, plainAmount, writeCents } from "@/lib/domain/money";
import { isSource } from "@/lib/domain/source";
import { unsavable } from "@/lib/schemas/kinds";
import { answerSchema as formSchema } from "@/lib/schemas/steps";
import { currentSettings } from "@/lib/server/settings";
import { normalisePhone } from "./normalise-phone";

/** What the lender knows when it invites somebody. */
export interface Invitation {
  /** Only those that were given. */
  answers: Partial<Record<InvitableAnswer, string>>;
  quotes: string[];
  source: string;
  expiresDays: number;
  /** Why we may write to this person (Spam Act 2003, Australia). */
  consentBasis: string;
}

/** Whether a flag may be given several times: the highest of several quotes counts. */
const isRepeatable = (name: InvitableAnswer) => answers[name].kind === "money";
const flagOf = (name: InvitableAnswer) => answers[name].flag ?? name;

/** The flags of `npm run invite`, which are the columns of its CSV file. */
export const invitationFlags = [
  ...invitableAnswers.map((name) => ({ flag: flagOf(name), multiple: isRepeatable(name) })),
  { flag: "source", multiple: false },
  { flag: "expires-days", multiple: false },
  { flag: "consent-basis", multiple: false },
];

/** The names of the fields of the invitation API, each with its flag. */
export const fieldFlags = new Map<string, string>([
  ...invitableAnswers.map((name) => [isRepeatable(name) ? "quotes" : name, flagOf(name)] as const),
  ["source", "source"],
  ["expiresDays", "expires-days"],
  ["consentBasis", "consent-basis"],
]);

function complaint(name: InvitableAnswer, message: string): string {
  const { brand } = currentSettings();
  switch (answers[name].kind) {
    case "email":
      return "is not an email address";
    case "phone":
      return "must be a phone number, such as 61412345678, +61 412 345 678 or 0412 345 678";
    case "money":
      return `must be an amount in ${currencyName(brand)}, such as 2450.00`;
    default:
      return `cannot be used: ${message}`;
  }
}

/** Numbers and amounts as people and spreadsheets write them. */
function tidied(name: InvitableAnswer, given: string): string {
  switch (answers[name].kind) {
    case "phone":
      return normalisePhone(given);
    case "money":
      return plainAmount(given);
    default:
      return given;
  }
}

/** Accepts what the form's own schema accepts. An empty text counts as not given. */
function answerSchema(name: InvitableAnswer) {
  return z.string().transform((given, context) => {
    if (given.trim() === "") return "";
    const { data, error } = formSchema(name, currentSettings().brand).safeParse(tidied(name, given));
    // What is empty once it is read, such as a dial code alone, was meant to be something.
    if (!error && data !== "") return data;
    context.addIssue(`${flagOf(name)} ${complaint(name, error?.issues[0]?.message ?? "")}`);
    return z.NEVER;
  });
}

const answerShape = Object.fromEntries(
  invitableAnswers.map((name) => {
    const one = answerSchema(name);
    return [flagOf(name), isRepeatable(name) ? z.array(one).default([]) : one.default("")];
  }),
);

/** Corrected values of an invitation. */
export const contactSchema = z.strictObject({
  email: answerSchema("email").optional(),
  mobile: answerSchema("mobile").optional(),
});

const days = z
  .string()
  .refine(
    (given) => /^\d{1,3}$/.test(given) && Number(given) >= 1 && Number(given) <= 365,
    "expires-days must be a whole number from 1 to 365",
  );

/** Parses an invitation from flags or a CSV row. */
export const invitationSchema = z
  .strictObject({
    ...answerShape,
    source: z
      .string()
      .refine((given) => given === "" || isSource(given), "source must be letters, digits, - or _ (40 at most)")
      .default(""),
    "expires-days": days.default("30"),
    "consent-basis": z
      .string()
      .trim()
      .max(200, "consent-basis must be 200 characters or fewer")
      .refine((given) => !unsavable.test(given), "consent-basis has characters that no text has")
      .default(""),
  })
  .transform(
    ({ source, "expires-days": expiresDays, "consent-basis": consentBasis, ...given }, context): Invitation => {
      const said = given as Record<string, string | string[]>;
      const quotes = invitableAnswers
        .filter(isRepeatable)
        .flatMap((name) => said[flagOf(name)] ?? [])
        .filter(Boolean);
      const known = invitableAnswers.map((name) => [name, highest(said[flagOf(name)] ?? "")] as const);
      const answers = Object.fromEntries(known.filter(([, value]) => value !== ""));
      if (!answers.mobile) context.addIssue("mobile is required");
      return { answers, quotes, source, expiresDays: Number(expiresDays), consentBasis };
    },
  );

function highest(given: string | string[]): string {
  if (!Array.isArray(given)) return given;
  return given.length > 0 ? writeCents(Math.max(...given.map(centsOf))) : "";
}
