import { envelopeSchema } from "@/lib/schemas/envelope";

test.each<[unknown, boolean]>([
  [{ success: true }, true],
  [{ success: true, data: { reference: "K7QM-4XRT" } }, true],
  [{ success: false, message: "Invalid", errors: { email: "Invalid email" } }, true],
  [{}, false],
  [{ success: "true" }, false],
  [{ success: false, message: 7 }, false],
  [{ success: false, errors: { email: 7 } }, false],
  [{ success: false, errors: "email" }, false],
  ["<!doctype html>", false],
  [null, false],
])("%j is an answer of the API: %s", (body, isAnswer) => {
  expect(envelopeSchema.safeParse(body).success).toBe(isAnswer);
});
