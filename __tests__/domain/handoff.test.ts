import fc from "fast-check";
import { handoffOf, readHandoff, writeHandoff } from "@/lib/domain/handoff";

const of = (query: string) => handoffOf(new URLSearchParams(query));

test("a link's token and source are taken together", () => {
  expect(of("token=T&source=ba")).toEqual({ token: "T", source: "ba" });
});

test("either may come alone", () => {
  expect(of("source=ia")).toEqual({ token: null, source: "ia" });
  expect(of("token=T")).toEqual({ token: "T", source: null });
});

test("an address with neither carries nothing", () => {
  expect(of("utm_source=sms&page=2")).toBeNull();
});

test("an empty token and an unreadable source count as absent", () => {
  expect(of("token=&source=%3Cscript%3E")).toEqual({ token: null, source: null });
});

test("of an endless token only its beginning is carried", () => {
  expect(of(`token=${"x".repeat(5000)}`)?.token).toHaveLength(128);
});

test("whatever is handed over arrives as it left, in letters that are safe in a cookie", () => {
  const source = fc.option(fc.stringMatching(/^[A-Za-z0-9_-]{1,40}$/));
  fc.assert(
    fc.property(fc.option(fc.string()), source, (token, from) => {
      const written = writeHandoff({ token, source: from });
      expect(written).toMatch(/^[\w%.!~*'()-]*$/);
      expect(readHandoff(written)).toEqual({ token, source: from });
    }),
  );
});

test.each([null, undefined, "", "x", "%", "{}", "%5B", "null", "7"])("%j is no handoff of ours", (text) => {
  expect(readHandoff(text)).toBeNull();
});

test("parts of another type are dropped", () => {
  expect(readHandoff(encodeURIComponent('[{"a":1},["ba"]]'))).toEqual({ token: null, source: null });
});
