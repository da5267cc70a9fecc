import { kinds } from "@/lib/schemas/kinds";

const options = { quick: "As soon as possible", later: "Within a month" };
const messageOf = (schema: ReturnType<typeof kinds.choice>, value: unknown) =>
  schema
    .safeParse(value)
    .error?.issues.map((issue) => issue.message)
    .join();

test.each<[unknown, string | undefined]>([
  ["quick", undefined],
  ["", "Choose when"],
  ["never", "When must be one of the options"],
  ["toString", "When must be one of the options"],
  [7, "Choose when"],
])("a required choice reports %j with the message %j", (value, message) => {
  expect(messageOf(kinds.choice("When", options, { required: "Choose when" }), value)).toBe(message);
});

test("an optional choice may be empty or one of its options", () => {
  expect(messageOf(kinds.choice("When", options), "")).toBeUndefined();
  for (const wrong of ["never", 7])
    expect(messageOf(kinds.choice("When", options), wrong)).toBe("When must be one of the options");
});
