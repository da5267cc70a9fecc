import { landlord } from "@/__tests__/support/answers";
import { messages } from "@/__tests__/support/messages";
import { landlordSchema } from "@/lib/schemas/steps";

const saysOf = (changes: Record<string, unknown>) => messages(landlordSchema, { ...landlord, ...changes });

test.each([
  ["firstName", "First name is required"],
  ["lastName", "Last name is required"],
  ["email", "Email is required"],
  ["propertyAddress", "Rental property address is required"],
])("without %s: '%s'", (field, message) => {
  for (const nothing of ["", "   ", "\t\n", "\u200b", " \u2060\u3164 ", undefined, null, 7, {}, ["x"]]) {
    expect(saysOf({ [field]: nothing })).toEqual({ [field]: message });
  }
});

test.each([
  ...["ada", "ada@", "@example.com", "ada@example", "ada example@example.com", "ada@@example.com", "a@b..com"],
  ...[
    ".ada@example.com",
    "ada.@example.com",
    "a..b@example.com",
    "ada@-example.com",
    "ada@example.com.",
    "ada@10.0.0.1",
  ],
  ...[
    "mailto:ada@example.com",
    "(ada@example.com)",
    "Ada <ada@example.com>",
    "ada@example.com\nBcc:b",
    '"a"@example.com',
  ],
  ...["a,b@example.com", "zoë@example.com", "zoë@exämple.com", "ada@exämple", "ada@exä mple.com", "ada@exä/mple.com"],
  // A URL would drop what follows the domain.
  ...["ada@exämple.com/x", "ada@x.com/exämple.com", "ada@exämple.com:25", "ada@xn--ä.com"],
])("the email %j: 'Invalid email'", (email) => {
  expect(saysOf({ email }).email).toMatch(/^(Invalid email|Email has a character that can't be saved)$/);
});

test.each([
  ...["ada@example.com", "a.b+rent@sub.example.com.au", " ada@example.com "],
  ...[
    "smith&sons@example.com",
    "a=b@example.com",
    "harbour/hill@example.com",
    "ada~@example.com",
    "o'hara@example.com",
  ],
  ...["ada!#$%*?^`{|}-_@example.com", "info@xn--e1afmkfd.xn--p1ai"],
])("the email '%s' is accepted", (email) => {
  expect(saysOf({ email })).toEqual({});
});

test.each([
  "ada@example.com\u200b",
  "\u200eada@example.com ",
  " \u202aada@example.com\u202c",
  "\ufeffada@exam\u00adple.com",
])("the email %j, copied with invisible characters, is saved without them", (email) => {
  expect(landlordSchema.parse({ ...landlord, email }).email).toBe("ada@example.com");
});

test.each([
  ["ada@exämple.com", "ada@xn--exmple-cua.com"],
  [" ada@EXÄMPLE.com ", "ada@xn--exmple-cua.com"],
  ["info@пример.рф", "info@xn--e1afmkfd.xn--p1ai"],
  ["ada@例え。jp", "ada@xn--r8jz45g.jp"],
  ["Ada@Example.COM", "Ada@Example.COM"],
])("the email %j is saved as mail is sent to it: %s", (email, mailed) => {
  expect(landlordSchema.parse({ ...landlord, email }).email).toBe(mailed);
});

describe("The mobile", () => {
  test.each([undefined, "", "61", "1", "614"])("is optional: %j is stored as empty", (mobile) => {
    expect(landlordSchema.parse({ ...landlord, mobile }).mobile).toBe("");
  });

  test("of a wrong length is refused", () => {
    expect(saysOf({ mobile: "6141234" })).toEqual({ mobile: "Please enter a valid mobile number" });
  });

  test("is digits only", () => {
    expect(saysOf({ mobile: "+61412345678" })).toEqual({ mobile: "Only numbers allowed" });
  });
});

describe("The source", () => {
  test.each([undefined, ""])("is optional (%j)", (source) => {
    expect(landlordSchema.parse({ ...landlord, source }).source).toBe("");
  });

  test.each(["<script>", "a".repeat(41), 7, {}])("is refused if it is %j", (source) => {
    expect(saysOf({ source })).toEqual({ source: "Source is not valid" });
  });
});
