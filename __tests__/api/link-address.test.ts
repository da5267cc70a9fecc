import { createHash } from "node:crypto";
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
  const made = Array.from({ length: 100 }, makeToken);
  expect(new Set(made).size).toBe(100);
  for (const one of made) expect(Buffer.from(one, "base64url")).toHaveLength(32);
  expect(made.every(isTokenShaped)).toBe(true);
});

test("what is stored of a token is its SHA-256", () => {
  expect(Buffer.from(hashToken(token)).toString("hex")).toBe(createHash("sha256").update(token).digest("hex"));
});

test.each([undefined, null, 7, [token], { length: 43 }, "", token.slice(1), `${token}x`, `x${token}`, `${token}\n`])(
  "%j is refused without a query",
  (text) => {
    expect(isTokenShaped(text)).toBe(false);
  },
);

test.each([token, "_".repeat(43), "0".repeat(43)])("%s may be one", (text) => {
  expect(isTokenShaped(text)).toBe(true);
});
