import { defaultBrand } from "@/lib/brand";
import { type ConsentAnswers, defaultAnswers } from "@/lib/domain/application";
import {
  consentDocument,
  consentText,
  consentVersion,
  isConsentGiven,
  readConsentDocument,
  toggleConsent,
} from "@/lib/domain/consent";

const consent = (authoriseAgent: boolean, provideSelf: boolean, confirmLoan: boolean): ConsentAnswers => ({
  authoriseAgent,
  provideSelf,
  confirmLoan,
});

describe("Ticking the boxes", () => {
  test("authorising the agent and providing the information oneself exclude each other", () => {
    expect(toggleConsent(consent(true, false, true), "provideSelf", true)).toEqual(consent(false, true, true));
    expect(toggleConsent(consent(false, true, true), "authoriseAgent", true)).toEqual(consent(true, false, true));
  });

  test("taking a tick away leaves the other boxes alone", () => {
    expect(toggleConsent(consent(true, false, true), "authoriseAgent", false)).toEqual(consent(false, false, true));
    expect(toggleConsent(consent(false, true, true), "provideSelf", false)).toEqual(consent(false, false, true));
  });

  test("the confirmation is separate", () => {
    expect(toggleConsent(consent(true, false, false), "confirmLoan", true)).toEqual(consent(true, false, true));
    expect(toggleConsent(consent(false, true, true), "confirmLoan", false)).toEqual(consent(false, true, false));
  });
});

test.each([
  [consent(true, false, true), true],
  [consent(false, true, true), true],
  [consent(false, false, true), false],
  [consent(true, true, true), false],
  [consent(true, false, false), false],
  [consent(false, true, false), false],
  [consent(false, false, false), false],
])("%j lets an application be submitted: %s", (answers, given) => {
  expect(isConsentGiven(answers)).toBe(given);
});

test("an application starts with the agent authorised and the loan confirmed", () => {
  const { authoriseAgent, provideSelf, confirmLoan } = defaultAnswers;
  expect({ authoriseAgent, provideSelf, confirmLoan }).toEqual(consent(true, false, true));
});

describe("The consent text", () => {
  const brand = { legalName: "Banksia Finance Pty Ltd", companyNumber: "ACN 123 456 789", product: "RentSooner" };
  const text = consentText(brand);
  const words = consentDocument(text);

  test("names the lender, its company number and the loan", () => {
    expect(words).toContain("Banksia Finance Pty Ltd");
    expect(words).toContain("ACN 123 456 789");
    expect(words).toContain("RentSooner Loan");
    expect(words).not.toContain(defaultBrand.product);
  });

  test("says how the lender makes contact, and the duty to report changes within 30 days", () => {
    expect(words).toMatch(/SMS, phone, email or through its app/);
    expect(words).toMatch(/within 30 days/);
  });

  test("uses in each box's label the verb of its name", () => {
    expect(text.boxes.authoriseAgent).toMatch(/authorise/);
    expect(text.boxes.provideSelf).toMatch(/provide/);
    expect(text.boxes.confirmLoan).toMatch(/confirm/);
  });

  test("as a document keeps its version and every word that was shown", () => {
    expect(words).toContain(`Version ${consentVersion}`);
    for (const shown of [...text.paragraphs, ...Object.values(text.boxes)]) expect(words).toContain(shown);
  });

  test("can be read from the document again, with the boxes as they were ticked", () => {
    expect(readConsentDocument(words, consent(true, false, true))).toEqual({
      paragraphs: text.paragraphs,
      boxes: [
        { label: text.boxes.authoriseAgent, isTicked: true },
        { label: text.boxes.provideSelf, isTicked: false },
        { label: text.boxes.confirmLoan, isTicked: true },
      ],
    });
  });
});
