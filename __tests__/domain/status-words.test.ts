import { defaultBrand } from "@/lib/brand";
import { applicationStatuses, isSubmitted, type SubmittedStatus } from "@/lib/domain/journey";
import { statusHeadings, statusWords } from "@/lib/domain/status-words";

const submitted = applicationStatuses.filter((status): status is SubmittedStatus => isSubmitted({ status }));

test.each(submitted)("an application that is '%s' is told so, and what comes next", (status) => {
  const said = /^[A-Z].*[a-z]/;
  expect(statusHeadings[status]).toEqual({ name: expect.stringMatching(said), heading: expect.stringMatching(said) });
  const { text, nextHeading, next } = statusWords(defaultBrand)[status];
  expect([text, nextHeading]).toEqual([expect.stringMatching(/\.$/), expect.stringMatching(/:$/)]);
  expect(next.length).toBeGreaterThan(1);
  for (const step of next) {
    expect(step).toEqual({ title: expect.stringMatching(said), text: expect.stringMatching(/^[A-Z].*\.$/) });
  }
});

test("a declined landlord reads whom to ask, and is offered nothing", () => {
  const { text, next } = statusWords(defaultBrand).declined;
  const said = [text, ...next.map((step) => step.text)].join(" ");
  expect(said).toContain(defaultBrand.supportPhone);
  expect(said).toContain(defaultBrand.supportEmail);
  expect(said).not.toMatch(/\$|up to|fast|deductible/i);
});
