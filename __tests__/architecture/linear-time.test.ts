import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Program, parseSync } from "@swc/core";
import { agent, landlord, lease } from "@/__tests__/support/answers";
import { productFiles } from "@/__tests__/support/product-files";
import { reportFigure } from "@/__tests__/support/size";
import { temporaryFolder } from "@/__tests__/support/temporary-folder";
import { readList } from "@/lib/cli/invitations/invitation-list";
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
import { readReport } from "@/lib/server/channels/bounces/read-report";
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

/** The greatest ratio allowed. Linear time gives about 1 and quadratic 16; caches and garbage collection give up to 4. */
const mostRatio = 7;
/** A time below this passes, because nobody would notice how it grows. */
const unnoticedMs = 2;

async function fastest(before: number, run: () => unknown): Promise<number> {
  const begun = performance.now();
  await run();
  return Math.min(before, performance.now() - begun);
}

/**
 * Whether one text of this size takes hardly longer than sixteen texts of the same shape and the same total length. Compares the
 * fastest of several alternating runs, because a busy machine can only make a run slower.
 */
async function isLinear(
  read: (text: string) => unknown,
  worst: (size: number) => string,
  size = 16_384,
): Promise<boolean> {
  const long = worst(size);
  const part = worst(size / 16);
  const readParts = async () => {
    for (let number = 0; number < 16; number += 1) await read(part);
  };
  let [forLong, forParts] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let round = 0; round < 40; round += 1) {
    forLong = await fastest(forLong, () => read(long));
    if (forLong < unnoticedMs) return true;
    forParts = await fastest(forParts, readParts);
    if (round > 3 && forLong <= forParts * mostRatio) return true;
  }
  return false;
}

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

/** The size of a report and a list, just below what is read of an email's headers. */
const manySize = 60_000;

/** As many of the things as fit, each from its number. */
function many(size: number, thing: (number: number) => string): string[] {
  const things: string[] = [];
  for (let length = 0; length < size; length += things.at(-1)?.length ?? 0) things.push(thing(things.length));
  return things;
}

const original = "--b\nContent-Type: message/rfc822\n\nMessage-ID: <1@lender.example>\n\n--b--\n";
/** A delivery report with these lines in front of the email that it returns. */
const report = (lines: string[]) => `Content-Type: multipart/report; boundary=b\n\n${lines.join("")}${original}`;
const status = "--b\nContent-Type: message/delivery-status\n\n";

test.each<[name: string, worst: (size: number) => string]>([
  ["parts", (size) => report(many(size, () => "--b\n\nText of the part.\n"))],
  [
    "nested parts",
    (size) => report(many(size, (n) => `--b${n || ""}\nContent-Type: multipart/mixed; boundary=b${n + 1}\n\n`)),
  ],
  ["headers", (size) => `${many(size, (n) => `X-${n}: 1\n`).join("")}${report([])}`],
  ["parameters", (size) => report([`--b\nContent-Type: a/b; ${many(size, (n) => `a*${n}*=1;`).join("")}\n\n`])],
  ["recipients", (size) => report([status, ...many(size, () => "Action: failed\n\n")])],
  ["fields", (size) => report([status, ...many(size, (n) => `X-${n}: 1\n`)])],
])("a delivery report with many %s is read in linear time", async (_, worst) => {
  const isKept = await isLinear((text) => readReport(Buffer.from(text)), worst, manySize);
  reportFigure(66, "delivery reports of 60 kB with many parts, fields or recipients in linear time", isKept);
  expect(isKept).toBe(true);
});

const folder = temporaryFolder();

test.each<[name: string, carries: boolean, worst: (size: number) => string[]]>([
  ["columns to carry", true, (size) => many(size, (n) => `x${n},`)],
  ["unknown columns", false, (size) => many(size, (n) => `x${n},`)],
  ["columns of our export", false, (size) => [...many(size, () => "status,"), "reference"]],
])("a list with many %s is read in linear time, or refused", async (_, carries, worst) => {
  const file = join(folder, "list.csv");
  const read = (headings: string) => {
    writeFileSync(file, `mobile,${headings}\n`);
    return readList(file, carries ? headings.split(",") : []).catch(() => {});
  };
  const isKept = await isLinear(read, (size) => worst(size).join(""), manySize);
  reportFigure(66, "lists with many columns in linear time, or refused above 1,000", isKept);
  expect(isKept).toBe(true);
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
