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
  // phone.test.ts has the numbers that count as empty, and those of a possible length.
  test.each([
    ["614", "Contact number is required"],
    ["abc", "Contact number is required"],
    ["+61298765432", "Only numbers allowed"],
    ["６１２９８７６５４３２", "Only numbers allowed"],
    ["611300123456", "Please enter a valid contact number"],
  ])("'%s': '%s'", (contactNumber, message) => {
    expect(saysOf({ contactNumber })).toEqual({ contactNumber: message });
  });

  test.each(["4479111234567", " 61298765432 "])("'%s' is accepted", (contactNumber) => {
    expect(agentSchema.parse({ ...agent, contactNumber }).contactNumber).toBe(contactNumber.trim());
  });
});
