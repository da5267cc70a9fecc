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
  for (const nothing of ["", "   ", "\t\n", undefined, null, 7, {}, ["x"]]) {
    expect(saysOf({ [field]: nothing })).toEqual({ [field]: message });
  }
});

test.each(["ada", "ada@", "@example.com", "ada@example", "ada example@example.com", "ada@@example.com", "a@b..com"])(
  "the email '%s': 'Invalid email'",
  (email) => {
    expect(saysOf({ email })).toEqual({ email: "Invalid email" });
  },
);

test.each(["ada@example.com", "a.b+rent@sub.example.com.au", " ada@example.com "])(
  "the email '%s' is accepted",
  (email) => {
    expect(saysOf({ email })).toEqual({});
  },
);

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

test("fields of other steps and of the server are dropped", () => {
  const stranger = { ...landlord, status: "approved", id: "1", tokenHash: "x", loanAmount: "50000" };
  expect(landlordSchema.parse(JSON.parse(JSON.stringify({ ...stranger })))).toEqual(landlord);
});
