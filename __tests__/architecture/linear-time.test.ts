import { readFileSync } from "node:fs";
import { type Program, parseSync } from "@swc/core";
import { agent, landlord, lease } from "@/__tests__/support/answers";
import { isLinear } from "@/__tests__/support/is-linear";
import { productFiles } from "@/__tests__/support/product-files";
import { savedAnswers } from "@/lib/domain/application";
import { isCalendarDate } from "@/lib/domain/calendar-date";
import { readHandoff, readLink } from "@/lib/domain/handoff";
import { centsOf, plainAmount, typedAmount } from "@/lib/domain/money";
import { normalisePhone } from "@/lib/domain/normalise-phone";
import { readReference } from "@/lib/domain/reference";
import { isStopWord } from "@/lib/domain/sms-text";
import { isSource } from "@/lib/domain/source";
import { check } from "@/lib/schemas/check";
import { consentSchema } from "@/lib/schemas/consent";
import { answerSchema, stepSchema } from "@/lib/schemas/steps";
import { parseProviderCode, parseProviderId } from "@/lib/server/channels/sms/adapter";
import { clientAddress, networkOf, parseAddress } from "@/lib/server/http/client-address";
import { batchSchema, invitationFields, invitationSchema } from "@/lib/server/invitations/invitation";
import { isTokenShaped } from "@/lib/server/links/token";
import { retryAfter } from "@/lib/server/outbox/outcome";
import { isStopCode } from "@/lib/server/outbox/suppressions";

const dollars = { locale: "en-US", currency: "USD" };

/** Beginnings, repeated middles and endings of texts: an expression that backtracks is slow on one of the combinations. */
const beginnings = ["", "/", "1", "a", "+", "[", "<"];
const middles = [
  ...["a", "1", " ", "!", ".", ",", "-", "_", "/", "\\", "%", ":", ";", "@", "(", "<", '"', "é", "１", "\n", "\u0000"],
  ...[".a", "a.", "1,", ", ", "a@", "-1", "//", "\\/", "%2", "((", "\u0315\u0316"],
];
const endings = ["", "a", "!", "?", "\u0000"];

const shapes = beginnings.flatMap((beginning) =>
  middles.flatMap((middle) =>
    endings.map((ending) => ({
      name: JSON.stringify([beginning, middle, ending]),
      worst: (size: number) => beginning + middle.repeat(size / middle.length) + ending,
    })),
  ),
);
/** Canonical ordering of Unicode moves each mark in front of all the marks that belong behind it. */
const marks = {
  name: "marks in the wrong order",
  worst: (size: number) => `a${"\u0315".repeat(size / 2)}${"\u0316".repeat(size / 2)}`,
};

/**
 * The first shape that takes more time than in proportion to its length; undefined if none does. The time that `encode` takes
 * does not count.
 */
async function slowOn(read: (text: string) => unknown, encode = (text: string) => text): Promise<string | undefined> {
  for (const { name, worst } of [marks, ...shapes])
    if (!(await isLinear(read, (size) => encode(worst(size))))) return name;
}

/** Every regular expression in a syntax tree. */
function expressionsIn(node: unknown): RegExp[] {
  if (typeof node !== "object" || node === null) return [];
  const { type, pattern, flags } = node as Record<string, unknown>;
  if (type === "RegExpLiteral") return [new RegExp(String(pattern), String(flags))];
  return Object.values(node).flatMap(expressionsIn);
}

const parsed = (file: string): Program =>
  parseSync(readFileSync(file, "utf8"), { syntax: "typescript", tsx: file.endsWith("x") });

/** Files that read nothing from a client or a provider: commands, and the start of a database. */
const excluded = /^lib\/(cli|embedded-postgres)\//;
const files = ["proxy.ts", "lib/server/process/server.mjs", ...productFiles("app", "lib")].filter(
  (file) => !excluded.test(file),
);
const expressions = files.flatMap((file) => expressionsIn(parsed(file)).map((found) => [file, found] as const));

test("the code contains regular expressions", () => {
  expect(expressions.length).toBeGreaterThan(50);
});

test.each(expressions)("%s: %s takes linear time", async (_, expression) => {
  expect(await slowOn((text) => text.search(expression))).toBeUndefined();
});

// The class Headers rejects characters that a network can still send, so this stands in for it.
const headers = (name: string, text: string) => ({ get: (key: string) => (key === name ? text : null) }) as Headers;

test.each<[name: string, read: (text: string) => unknown, encode?: (text: string) => string]>([
  ["a link's token", (text) => readLink({ pathname: "/", search: `?token=${text}` })],
  ["a link's source", (text) => readLink({ pathname: "/", search: `?source=${text}` })],
  ["a link's query", (text) => readLink({ pathname: "/", search: text })],
  ["a link's path", (text) => readLink({ pathname: text, search: "?token=T" })],
  ["the cookie", readHandoff],
  ["the cookie, encoded", readHandoff, (text) => encodeURIComponent(JSON.stringify([text, text]))],
  ["an address", (text) => networkOf(parseAddress(text))],
  ["X-Forwarded-For", (text) => clientAddress(headers("x-forwarded-for", text))],
  ["a token", isTokenShaped],
  ["a source", isSource],
  ["a stop code", isStopCode],
  ["a reference", readReference],
  ["a date", isCalendarDate],
  ["an amount", centsOf],
  ["an amount as it was typed", (text) => typedAmount(text, "") + plainAmount(text)],
  ["a mobile of an invitation", (text) => tryOut(() => normalisePhone(text))],
  [
    "an invitation",
    (text) => invitationSchema.safeParse(Object.fromEntries(invitationFields.map(({ field }) => [field, text]))),
  ],
  ["a batch", (text) => batchSchema.safeParse(text)],
  ["the form of a provider or of a mail program", (text) => new URLSearchParams(text).get("code")],
  ["a person's reply", isStopWord],
  ["a provider's id and code", (text) => [parseProviderId(text), parseProviderCode(text)]],
  ["Retry-After", (text) => retryAfter(headers("retry-after", text))],
  ["JSON", (text) => tryOut(() => JSON.parse(text))],
  ...savedAnswers.map((name): [string, (text: string) => unknown] => [
    `the answer ${name}`,
    (text) => answerSchema(name, dollars).safeParse(text),
  ]),
  ["all answers of a step", (text) => ([1, 2, 3] as const).map((step) => check(stepSchema(step, dollars), all(text)))],
  ["consent", (text) => check(consentSchema, { authoriseAgent: text, [text]: true })],
])("%s is read in linear time", async (...[, read, encode]) => {
  expect(await slowOn(read, encode)).toBeUndefined();
});

const all = (text: string) =>
  Object.fromEntries(Object.keys({ ...landlord, ...agent, ...lease }).map((name) => [name, text]));

function tryOut(run: () => unknown): void {
  try {
    run();
  } catch {
    // Other tests check that the text is refused.
  }
}
