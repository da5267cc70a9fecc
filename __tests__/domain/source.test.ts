import { asksForApproval, isSource, landingVariant } from "@/lib/domain/source";

test.each([
  ["ba", "pre-approval"],
  ["ia", "invoice"],
  ["", "invoice"],
  ["BA", "invoice"],
  ["newsletter_2026", "invoice"],
])("a visitor from '%s' sees the %s landing", (source, variant) => {
  expect(landingVariant(source)).toBe(variant);
});

test.each([
  ["ia", true],
  ["ba", false],
  ["", false],
  ["IA", false],
])("a visitor from '%s' is asked for a pre-approval number: %p", (source, asked) => {
  expect(asksForApproval(source)).toBe(asked);
});

test.each(["ba", "ia", "A-1_b", "x".repeat(40)])("%s is a source", (text) => {
  expect(isSource(text)).toBe(true);
});

test.each(["", "x".repeat(41), "a b", "<script>", "é", "ba\n", "../x"])("%j is none", (text) => {
  expect(isSource(text)).toBe(false);
});
