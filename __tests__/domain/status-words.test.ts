import { defaultBrand } from "@/lib/brand";
import { applicationStatuses, isSubmitted, type SubmittedStatus } from "@/lib/domain/journey";
import { statusHeadings, statusWords } from "@/lib/domain/status-words";

const submitted = applicationStatuses.filter((status): status is SubmittedStatus => isSubmitted({ status }));

test.each(submitted)("an application that is '%s' has a heading and next steps", (status) => {
  const sentence = /^[A-Z].*[a-z]/;
  expect(statusHeadings[status]).toEqual({
    name: expect.stringMatching(sentence),
    heading: expect.stringMatching(sentence),
  });
  const { text, nextHeading, next } = statusWords(defaultBrand)[status];
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
] as const)("the heading of an application that is %s is '%s'", (status, heading) => {
  expect(statusHeadings[status].heading).toBe(heading);
});

test("a landlord who has submitted reads the words of the specification (section 2)", () => {
  const { text, nextHeading, next } = statusWords(defaultBrand).submitted;
  expect(statusHeadings.submitted.heading).toBe("Your application has been submitted!");
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

test("a declined landlord reads whom to contact and no offer", () => {
  const { text, next } = statusWords(defaultBrand).declined;
  const all = [text, ...next.map((step) => step.text)].join(" ");
  expect(all).toContain(defaultBrand.supportPhone);
  expect(all).toContain(defaultBrand.supportEmail);
  expect(all).not.toMatch(/\$|up to|fast|deductible/i);
});

test.each(submitted)("the words for '%s' read well for a product whose name begins with a vowel", (status) => {
  expect(JSON.stringify(statusWords({ ...defaultBrand, product: "EasyRent" })[status])).not.toMatch(/\ba EasyRent/);
});
