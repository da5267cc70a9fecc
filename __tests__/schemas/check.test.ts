import * as z from "zod/mini";
import { landlord } from "@/__tests__/support/answers";
import { check } from "@/lib/schemas/check";
import { reviewedSchema } from "@/lib/schemas/consent";
import { landlordSchema } from "@/lib/schemas/landlord";

test("what is right comes out as it is saved, and without errors", () => {
  expect(check(landlordSchema, { ...landlord, firstName: " Ada " })).toEqual({ data: landlord });
});

test.each([undefined, null, 7, "text", true, [], [{ answers: "a", consent: "b" }], {}])(
  "%j has no fields, so that every required one gets its message",
  (value) => {
    expect(check(reviewedSchema, value)).toEqual({
      errors: { answers: "must be a text", consent: "must be a text" },
    });
  },
);

test("of several messages for a field the first is told, by its path", () => {
  const never = (message: string) => z.refine(() => false, message);
  const schema = z.object({ outer: z.object({ inner: z.string().check(never("first"), never("second")) }) });
  expect(check(schema, { outer: { inner: "" } })).toEqual({ errors: { "outer.inner": "first" } });
});
