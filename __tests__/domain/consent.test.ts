import { defaultBrand } from "@/lib/brand";
import { type ConsentAnswers, defaultAnswers } from "@/lib/domain/application";
import { consentDocument, consentText, isConsentGiven, toggleConsent } from "@/lib/domain/consent";

const boxes = (authoriseAgent: boolean, provideSelf: boolean, confirmLoan: boolean): ConsentAnswers => ({
  authoriseAgent,
  provideSelf,
  confirmLoan,
});

test("two boxes start ticked: the agent's authority and the confirmation", () => {
  expect(defaultAnswers).toMatchObject(boxes(true, false, true));
});

test("authorising the agent and providing it oneself exclude each other; the confirmation stands apart", () => {
  expect(toggleConsent(boxes(true, false, true), "provideSelf", true)).toEqual(boxes(false, true, true));
  expect(toggleConsent(boxes(false, true, false), "authoriseAgent", true)).toEqual(boxes(true, false, false));
  expect(toggleConsent(boxes(true, false, true), "authoriseAgent", false)).toEqual(boxes(false, false, true));
  expect(toggleConsent(boxes(true, false, false), "confirmLoan", true)).toEqual(boxes(true, false, true));
});

test.each([
  [boxes(true, false, true), true],
  [boxes(false, true, true), true],
  [boxes(true, true, true), false],
  [boxes(false, false, true), false],
  [boxes(true, false, false), false],
  [boxes(false, true, false), false],
  [boxes(false, false, false), false],
])("the boxes %j give consent: %p", (consent, given) => {
  expect(isConsentGiven(consent)).toBe(given);
});

test("the text names the lender, its number, the loan, how it makes contact, and the 30 days", () => {
  const document = consentDocument(consentText(defaultBrand));
  for (const words of [
    defaultBrand.legalName,
    defaultBrand.companyNumber,
    `${defaultBrand.product} Loan`,
    "SMS, phone, email or through its app",
    "within 30 days",
    "authorise my managing agent",
  ]) {
    expect(document).toContain(words);
  }
});

test("the boxes are labelled 'authorise', 'provide' and 'confirm', in that order, and the document keeps each word", () => {
  const text = consentText(defaultBrand);
  const labels = [text.boxes.authoriseAgent, text.boxes.provideSelf, text.boxes.confirmLoan];
  expect(labels.map((label) => /authorise|provide|confirm/.exec(label)?.[0])).toEqual([
    "authorise",
    "provide",
    "confirm",
  ]);
  const document = consentDocument(text);
  for (const words of [text.version, ...text.paragraphs, ...labels]) expect(document).toContain(words);
});
