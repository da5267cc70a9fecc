import * as z from "zod/mini";
import { landlord } from "@/__tests__/support/answers";
import { check } from "@/lib/schemas/check";
import { reviewedSchema } from "@/lib/schemas/consent";
import { landlordSchema } from "@/lib/schemas/steps";

test("valid answers are returned as they are saved, without errors", () => {
  expect(check(landlordSchema, { ...landlord, firstName: " Ada " })).toEqual({ data: landlord });
});

test.each([undefined, null, 7, "text", true, [], [{ answers: "a", consent: "b" }], {}])(
  "%j has no fields, so every required field gets its message",
  (value) => {
    expect(check(reviewedSchema, value)).toEqual({
      errors: { answers: "must be a string", consent: "must be a string" },
    });
  },
);

test("a field with several messages reports the first, under its path", () => {
  const never = (message: string) => z.refine(() => false, message);
  const schema = z.object({ outer: z.object({ inner: z.string().check(never("first"), never("second")) }) });
  expect(check(schema, { outer: { inner: "" } })).toEqual({ errors: { "outer.inner": "first" } });
});
