import fc from "fast-check";
import { reportFigure } from "@/__tests__/support/size";
import { readHandoff, readLink, writeHandoff } from "@/lib/domain/handoff";

const carriedBy = (query: string) => readLink({ pathname: "/", search: `?${query}` })?.handoff ?? null;

test.each([
  ["token=T&source=ba", { token: "T", source: "ba" }],
  ["token=T", { token: "T", source: null }],
  ["source=ia", { token: null, source: "ia" }],
  ["utm_source=sms&token=T", { token: "T", source: null }],
  ["token=T&source=spring-2026", { token: "T", source: "spring-2026" }],
  ["token=&source=", { token: null, source: null }],
  ["token=&source=ia", { token: null, source: null }],
  ["utm_source=sms", null],
  ["token=T&source=%3Cscript%3E", { token: "T", source: null }],
])("a link with ?%s carries %j", (query, carried) => {
  expect(carriedBy(query)).toEqual(carried);
});

const token = "aB3-_".repeat(9).slice(0, 43);
const [start, end] = [token.slice(0, 20), token.slice(20)];

test.each([
  ".",
  ")",
  ">",
  ",",
  ";",
  "!",
  "?",
  "'",
  '"',
  "\u201d",
  "\u00bb",
  "\u2026",
  "_",
  "-",
  " ",
  ").",
  "\u200b",
  "|Apply",
])("%j after a token, or after a source, is not read as part of it", (end) => {
  const carried = carriedBy(new URLSearchParams({ token: token + end, source: `ba${end}` }).toString());
  // A source itself may end with an underscore.
  expect(carried).toEqual({ token, source: end === "_" ? "ba_" : "ba" });
});

test.each([" ", "\n", "\u200b", "<", "(", "\u201c", "=", "3D"])(
  "%j before a token is not read as part of it",
  (start) => {
    for (const own of [token, `-${token.slice(1)}`, `_${token.slice(1)}`])
      expect(carriedBy(new URLSearchParams({ token: start + own }).toString())?.token).toBe(own);
  },
);

/** What programs and people do to a link to the landing page: path, query, source if it can still be read. */
const mangled: [what: string, address: string, source: string | null][] = [
  ["a space inside", `/?token=${start}%20${end}&source=ia`, "ia"],
  ["a plus inside", `/?token=${start}+${end}&source=ia`, "ia"],
  ["a line break and a tab inside", `/?token=${start}%0D%0A%09${end}&source=ia`, "ia"],
  ["a soft line break of quoted-printable inside", `/?token=${start}=%0D%0A${end}&source=ia`, "ia"],
  ["a no-break space inside", `/?token=${start}%C2%A0${end}&source=ia`, "ia"],
  ["a zero width space inside", `/?token=${start}%E2%80%8B${end}&source=ia`, "ia"],
  ["a soft hyphen inside", `/?token=${start}%C2%AD${end}&source=ia`, "ia"],
  ["a word joiner inside and after", `/?token=${start}%E2%81%A0${end}%E2%81%A0&source=i%E2%81%A0a`, "ia"],
  ["a byte order mark before", `/?token=%EF%BB%BF${token}&source=%EF%BB%BFia`, "ia"],
  ["a direction mark around", `/?token=%E2%80%AA${token}%E2%80%AC&source=ia`, "ia"],
  ["a variation selector after", `/?token=${token}%EF%B8%8F&source=ia%EF%B8%8F`, "ia"],
  ["a backslash before each underscore", `/?token=${token.replaceAll("_", "\\_")}&source=ia`, "ia"],
  ["an encoded backslash before each underscore", `/?token=${token.replaceAll("_", "%5C_")}&source=ia`, "ia"],
  ["no-break hyphens", `/?token=${token.replaceAll("-", "%E2%80%91")}&source=ia`, "ia"],
  ["3D of quoted-printable", `/?token=3D${token}&source=3Dia`, "ia"],
  ["an encoded equals sign", `/?token%3D${token}&source%3Dia`, "ia"],
  ["two equals signs", `/?token==${token}&source==ia`, "ia"],
  ["letters after", `/?token=${token}Please&source=ia`, "ia"],
  ["a sentence after", `/?token=${token}.%20Please%20apply&source=ia.%20Please`, "ia"],
  ["an encoded ampersand", `/?token=${token}%26source=ia`, "ia"],
  ["an ampersand that is encoded twice", `/?token=${token}%2526source%253Dia`, "ia"],
  ["an ampersand as HTML", `/?source=ia&amp;token=${token}`, "ia"],
  ["a semicolon between", `/?token=${token};source=ia`, "ia"],
  ["two question marks", `/??token=${token}&source=ia`, "ia"],
  ["a second question mark", `/?utm_source=sms?token=${token}&source=ia`, "ia"],
  ["an encoded question mark", `/%3Ftoken=${token}&source=ia`, "ia"],
  ["a question mark that is encoded twice", `/%253Ftoken%253D${token}%2526source%253Dia`, "ia"],
  ["a whole query encoded", `/%3Ftoken%3D${token}%26source%3Dia`, "ia"],
  ["capitals in the names", `/?Token=${token}&SOURCE=ia`, "ia"],
  ["an empty token before", `/?token=&token=${token}&source=ia`, "ia"],
  ["a broken escape after", `/?token=${token}%E2%80&source=ia`, "ia"],
  ["a space after the path", `/%20?token=${token}&source=ia`, "ia"],
  ["an invisible character after the path", `/%E2%80%8B?token=${token}&source=ia`, "ia"],
];

test.each(mangled)("a link with %s is read, and nothing of it stays in the address", (_, address, source) => {
  const { pathname, search } = new URL(address, "https://apply.example");
  expect(readLink({ pathname, search })).toEqual({ pathname: "/", search: "", handoff: { token, source } });
});

test("mangled forms of a link are a figure of promise 81", () => {
  expect(mangled.length).toBeGreaterThanOrEqual(25);
  reportFigure(81, `${mangled.length} mangled forms of a link are read, with their source`);
});

test.each([
  [`/home?token=${token}`, "/home", ""],
  [`/review%26submit?token=${token}`, "/review&submit", ""],
  [`/landing%3Ftoken=${token}`, "/landing", ""],
  [`/home?utm_source=sms&token=${token}&utm_medium=a%26b`, "/home", "?utm_source=sms&utm_medium=a%26b"],
  [`/nothing%20here?token=${token}`, "/nothing%20here", ""],
])("%s leads to %s%s", (address, pathname, search) => {
  const { pathname: path, search: query } = new URL(address, "https://apply.example");
  expect(readLink({ pathname: path, search: query })).toMatchObject({ pathname, search, handoff: { token } });
});

test.each(["/", "/?utm_source=sms", "/?mytoken=T", "/%3Fsomething", "/?q=token"])("%s is no link", (address) => {
  const { pathname, search } = new URL(address, "https://apply.example");
  expect(readLink({ pathname, search })).toBeNull();
});

test("a token that cannot be read is cut to 128 characters", () => {
  expect(carriedBy(`token=${"!".repeat(5_000)}`)?.token).toHaveLength(128);
});

test("a written handoff fits a cookie and is read back unchanged", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", maxLength: 128 }), (token) => {
      const written = writeHandoff({ token, source: "ba" });
      expect(written).toMatch(/^[\w!~*'().%-]*$/);
      expect(readHandoff(written)).toEqual({ token, source: "ba" });
    }),
  );
});

test.each([null, undefined, "", "x", "%", "{}", '"T"', '{"map":1}', "null", "7", "%5B%22T%22"])(
  "%j is not a handoff",
  (text) => {
    expect(readHandoff(text)).toBeNull();
  },
);

test("a forged cookie with an invalid token and source yields neither", () => {
  expect(readHandoff('[{"a":1},"<b>"]')).toEqual({ token: null, source: null });
  expect(readHandoff("[]")).toEqual({ token: null, source: null });
});
