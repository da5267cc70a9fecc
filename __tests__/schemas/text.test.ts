import fc from "fast-check";
import { landlord } from "@/__tests__/support/answers";
import { messages } from "@/__tests__/support/messages";
import { landlordSchema } from "@/lib/schemas/steps";

const saysOf = (firstName: string) => messages(landlordSchema, { ...landlord, firstName }).firstName;
const kept = (firstName: string) => landlordSchema.parse({ ...landlord, firstName }).firstName;

test.each([["A\u0000da"], ["\u0000"], ["Ada\ud800"], ["\udc00Ada"]])("%j cannot be saved", (name) => {
  expect(saysOf(name)).toBe("First name has a character that can't be saved");
});

test.each([
  ["a tab", "A\tda"],
  ["a line feed", "A\nda"],
  ["an escape", "A\u001b[31mda"],
  ["a C1 control", "A\u0085da"],
  ["a line separator", "A\u2028da"],
  ["a right-to-left override", "A\u202eda"],
  ["an embedding", "A\u202ada"],
  ["an isolate", "A\u2066da\u2069"],
])("%s is rejected, because the text would look different from what is stored", (_, name) => {
  expect(saysOf(name)).toBe("First name has a character that can't be saved");
});

test.each(["مريم", "שרה Levi", "می‌خواهم"])("'%s', written from right to left, is a name", (name) => {
  expect(saysOf(name)).toBeUndefined();
});

test.each(["👩‍👧 Ada", "Zoë", "李", "O’Neill-Şahin", "𝒜da"])("'%s' is a name", (name) => {
  expect(saysOf(name)).toBeUndefined();
  expect(kept(name)).toBe(name.normalize("NFC"));
});

test("a text is trimmed and normalised before its length is checked", () => {
  const decomposed = "é".normalize("NFD").repeat(120);
  expect(decomposed).toHaveLength(240);
  expect(kept(`   ${decomposed}   `)).toBe("é".repeat(120));
});

test("a text has 120 characters at most", () => {
  expect(saysOf("a".repeat(120))).toBeUndefined();
  expect(saysOf("a".repeat(121))).toBe("First name must be 120 characters or fewer");
});

test("any text is kept trimmed and normalised, or rejected with one message", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 200 }), (text) => {
      const message = saysOf(text);
      if (message === undefined) expect(kept(text)).toBe(text.trim().normalize("NFC"));
      else expect(message).toMatch(/^First name (is required|must be|has a character)/);
    }),
  );
});
