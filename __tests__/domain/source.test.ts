import { isAskedFor, labelOf } from "@/lib/domain/application";
import { isSource, landingVariant } from "@/lib/domain/source";

test.each([
  ["ba", "pre-approval"],
  ["ia", "invoice"],
  ["", "invoice"],
  ["BA", "invoice"],
  ["anything-else", "invoice"],
])("a visitor from '%s' lands on the %s page", (source, variant) => {
  expect(landingVariant(source)).toBe(variant);
});

test.each([
  ["ia", true],
  ["ba", false],
  ["", false],
  ["IA", false],
])("a visitor from '%s' is asked for a pre-approval number: %s", (source, asked) => {
  expect(isAskedFor("approval", source)).toBe(asked);
  expect(labelOf("invoiceAmount", source)).toBe(asked ? "Invoice or Repair Costs" : "Repair costs");
});

test("only answers with a label have a field", () => {
  expect(isAskedFor("firstName", "")).toBe(true);
  expect(labelOf("firstName", "ia")).toBe("Full name");
  for (const name of ["source", "confirmLoan"] as const) {
    expect(isAskedFor(name, "ia")).toBe(false);
    expect(labelOf(name, "ia")).toBe("");
  }
});

test.each(["ba", "ia", "partner_7", "Spring-Campaign"])("'%s' can be a source", (source) => {
  expect(isSource(source)).toBe(true);
});

test.each(["", "<script>", "b a", "a".repeat(41), "ba\n", "b\u0000a", "é"])("%j cannot be a source", (source) => {
  expect(isSource(source)).toBe(false);
});
