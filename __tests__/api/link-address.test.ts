import { createHash } from "node:crypto";
import { reportFigure } from "@/__tests__/support/size";
import { hashToken, isTokenShaped, linkTo, makeToken } from "@/lib/server/links/token";

process.env.APP_URL = "https://apply.example";

const token = "aB3-_".repeat(9).slice(0, 43);

test.each([
  ["ba", `https://apply.example/?token=${token}&source=ba`],
  ["", `https://apply.example/?token=${token}`],
])("a link with the source '%s' is %s", (source, link) => {
  expect(linkTo(token, source)).toBe(link);
});

test("tokens are 32 random bytes, and no two are alike", () => {
  const count = 4000;
  const made = Array.from({ length: count }, makeToken);
  expect(new Set(made).size).toBe(count);
  expect(made.every(isTokenShaped)).toBe(true);
  const all = made.map((text) => Buffer.from(text, "base64url"));
  expect(all.filter(({ length }) => length !== 32)).toEqual([]);
  const sixDeviations = 6 * Math.sqrt(count / 4);
  for (let bit = 0; bit < 256; bit += 1) {
    const set = all.filter((bytes) => (bytes[bit >> 3] ?? 0) & (1 << (bit & 7))).length;
    expect(Math.abs(set - count / 2)).toBeLessThan(sixDeviations);
  }
  reportFigure(11, `${count} tokens of 256 bits, no bit biased`);
});

test("a token is stored as its SHA-256", () => {
  expect(Buffer.from(hashToken(token)).toString("hex")).toBe(createHash("sha256").update(token).digest("hex"));
});

test.each([undefined, null, 7, [token], { length: 43 }, "", token.slice(1), `${token}x`, `x${token}`, `${token}\n`])(
  "%j is refused without a query",
  (text) => {
    expect(isTokenShaped(text)).toBe(false);
  },
);

test.each([token, "_".repeat(43), "0".repeat(43)])("%s may be a token", (text) => {
  expect(isTokenShaped(text)).toBe(true);
});
