import { defaultBrand } from "@/lib/brand";
import { statuses, statusesAfterSubmission } from "@/lib/domain/statuses";

test.each(statusesAfterSubmission)("an application that is '%s' has a heading and next steps", (status) => {
  const sentence = /^[A-Z].*[a-z]/;
  const { name, heading, words } = statuses[status];
  expect([name, heading]).toEqual([expect.stringMatching(sentence), expect.stringMatching(sentence)]);
  const { text, nextHeading, next } = words(defaultBrand);
  expect([text, nextHeading]).toEqual([expect.stringMatching(/\.$/), expect.stringMatching(/:$/)]);
  expect(next.length).toBeGreaterThan(1);
  for (const step of next) {
    expect(step).toEqual({ title: expect.stringMatching(sentence), text: expect.stringMatching(/^[A-Z].*\.$/) });
  }
});

test.each([
  ["in-review", "We're reviewing your application"],
  ["approved", "Your application is approved"],
  ["declined", "We couldn't approve your application"],
  ["withdrawn", "Your application is withdrawn"],
  ["paid", "The funds have gone to your agent"],
] as const)("the heading of an application that is %s is '%s'", (status, heading) => {
  expect(statuses[status].heading).toBe(heading);
});

test("a landlord who has submitted reads the words of the specification (section 2)", () => {
  const { text, nextHeading, next } = statuses.submitted.words(defaultBrand);
  expect(statuses.submitted.heading).toBe("Your application has been submitted!");
  expect(text).toBe(
    "Thanks for applying with RentAhead. We're now reviewing your details. Most applications are processed within 24 hours.",
  );
  expect([nextHeading, ...next.map(({ title }) => title)]).toEqual([
    "What happens next:",
    "We review your details",
    "You review and sign the final agreement",
    "The funds are paid directly to your agent",
  ]);
});

test("a landlord who has withdrawn reads no refusal and no offer, and whom to contact about a mistake", () => {
  const { text, next } = statuses.withdrawn.words(defaultBrand);
  const all = [text, ...next.map((step) => step.text)].join(" ");
  expect(all).toContain(defaultBrand.supportPhone);
  expect(all).not.toMatch(/can't offer|couldn't|declin|\$|up to/i);
});

test.each(statusesAfterSubmission)(
  "the words for '%s' read well for a product whose name begins with a vowel",
  (status) => {
    expect(JSON.stringify(statuses[status].words({ ...defaultBrand, product: "EasyRent" }))).not.toMatch(
      /\ba EasyRent/,
    );
  },
);
