import fc from "fast-check";
import { handoffOf, readHandoff, writeHandoff } from "@/lib/domain/handoff";

const carriedBy = (query: string) => handoffOf(new URLSearchParams(query));

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

test.each([".", ")", ">", ",", ";", "!", "?", "'", '"', "\u201d", "\u00bb", "\u2026", "_", "-", " ", ").", "\u200b"])(
  "%j after a token of 43 characters, or after a source, is not read as part of it",
  (end) => {
    const carried = carriedBy(new URLSearchParams({ token: token + end, source: `ba${end}` }).toString());
    // A source itself may end with an underscore.
    expect(carried).toEqual({ token, source: end === "_" ? "ba_" : "ba" });
  },
);

test.each([" ", "\n", "\u200b", "<", "(", "\u201c"])("%j before a token is not read as part of it", (start) => {
  for (const own of [token, `-${token.slice(1)}`, `_${token.slice(1)}`])
    expect(carriedBy(new URLSearchParams({ token: start + own }).toString())?.token).toBe(own);
});

test("a token longer than 43 characters is kept whole", () => {
  expect(carriedBy(`token=${token}x`)?.token).toBe(`${token}x`);
});

test("a token that is too long is cut to 128 characters", () => {
  expect(carriedBy(`token=${"t".repeat(5_000)}`)?.token).toHaveLength(128);
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
