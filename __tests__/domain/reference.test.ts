import { randomInt } from "node:crypto";
import fc from "fast-check";
import { makeReference, readReference } from "@/lib/domain/reference";

test("a reference is two groups of four, without characters that look or sound alike", () => {
  for (let round = 0; round < 500; round += 1) {
    expect(makeReference((n) => randomInt(n))).toMatch(/^[3479ACDEFGHJKMNPQRTWXY]{4}-[3479ACDEFGHJKMNPQRTWXY]{4}$/);
  }
});

test("the first and the last letter of the alphabet can occur", () => {
  expect(makeReference((n) => n - 1)).toBe("YYYY-YYYY");
  expect(makeReference(() => 0)).toBe("3333-3333");
});

test("a generated reference is recognised however a person types it", () => {
  const made = fc.infiniteStream(fc.nat()).map((numbers) => makeReference((n) => (numbers.next().value as number) % n));
  fc.assert(
    fc.property(made, (reference) => {
      expect(readReference(reference)).toBe(reference);
      expect(readReference(reference.toLowerCase())).toBe(reference);
      expect(readReference(reference.replace("-", ""))).toBe(reference);
      expect(readReference(` ${reference.replace("-", " - ")} `)).toBe(reference);
      // Word processors and chat apps replace the dash, and copied text may have characters of no width.
      for (const dash of ["‐", "‑", "–", "—", "\u200b-"])
        expect(readReference(reference.replace("-", dash))).toBe(reference);
    }),
  );
});

test.each(["", "K7QM", "K7QM-4XR", "K7QM-4XRTT", "K7QM-4XR0", "K7QM-4XRO", "K7QM-4XRI", "K7QM_4XRT", "ＫQQM-4XRT"])(
  "%j is not a reference",
  (text) => {
    expect(readReference(text)).toBeNull();
  },
);
