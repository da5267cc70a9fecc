import { agent } from "@/__tests__/support/answers";
import { messages } from "@/__tests__/support/messages";
import { agentSchema } from "@/lib/schemas/steps";

const saysOf = (changes: Record<string, unknown>) => messages(agentSchema, { ...agent, ...changes });

test.each([
  ["agencyName", "Agency name is required"],
  ["managerFirstName", "Property manager first name is required"],
  ["managerLastName", "Property manager last name is required"],
  ["contactNumber", "Contact number is required"],
  ["managerEmail", "Manager email is required"],
])("without %s: '%s'", (field, message) => {
  for (const nothing of ["", "   ", undefined, null, 7, {}])
    expect(saysOf({ [field]: nothing })).toEqual({ [field]: message });
});

test("a malformed email: 'Invalid email'", () => {
  expect(saysOf({ managerEmail: "grace" })).toEqual({ managerEmail: "Invalid email" });
});

describe("The contact number", () => {
  test.each(["61", "1", "86", "4", "614", "+61", "abc"])("'%s' counts as empty", (contactNumber) => {
    expect(saysOf({ contactNumber })).toEqual({ contactNumber: "Contact number is required" });
  });

  test.each(["+61298765432", "61 298 765 432", "6129876543x", "６１２９８７６５４３２", "(02) 9876 5432"])(
    "'%s': 'Only numbers allowed'",
    (contactNumber) => {
      expect(saysOf({ contactNumber })).toEqual({ contactNumber: "Only numbers allowed" });
    },
  );

  test.each([
    ...["6129", "612987654", "6129876543210", "1415555012", "49123456789", "1".repeat(16)],
    // Australia's 1300 and 1800 numbers, and six-digit numbers that begin with 13, can be called only inside Australia.
    ...["611300123456", "611800123456", "61131234"],
  ])("'%s': 'Please enter a valid contact number'", (contactNumber) => {
    expect(saysOf({ contactNumber })).toEqual({ contactNumber: "Please enter a valid contact number" });
  });

  test.each([
    "61298765432",
    "61138123456",
    "14155550123",
    "447911123456",
    "4479111234567",
    "8613912345678",
    "64211234567",
    " 61298765432 ",
  ])("'%s' is accepted", (contactNumber) => {
    expect(agentSchema.parse({ ...agent, contactNumber }).contactNumber).toBe(contactNumber.trim());
  });
});
