import { createHash } from "node:crypto";
import { defaultBrand } from "@/lib/brand";
import { type ConsentAnswers, defaultAnswers } from "@/lib/domain/application";
import { consentDocument, consentText, consentVersion, readConsentDocument, toggleConsent } from "@/lib/domain/consent";

const consent = (authoriseAgent: boolean, provideSelf: boolean, confirmLoan: boolean): ConsentAnswers => ({
  authoriseAgent,
  provideSelf,
  confirmLoan,
});

describe("Ticking the boxes", () => {
  test("authorising the agent and providing the information oneself clear each other", () => {
    expect(toggleConsent(consent(true, false, true), "provideSelf", true)).toEqual(consent(false, true, true));
    expect(toggleConsent(consent(false, true, true), "authoriseAgent", true)).toEqual(consent(true, false, true));
  });

  test("unticking a box leaves the other boxes unchanged", () => {
    expect(toggleConsent(consent(true, false, true), "authoriseAgent", false)).toEqual(consent(false, false, true));
    expect(toggleConsent(consent(false, true, true), "provideSelf", false)).toEqual(consent(false, false, true));
  });

  test("the confirmation is separate", () => {
    expect(toggleConsent(consent(true, false, false), "confirmLoan", true)).toEqual(consent(true, false, true));
    expect(toggleConsent(consent(false, true, true), "confirmLoan", false)).toEqual(consent(false, true, false));
  });
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

  test("keeps the authority to deduct, the duty to report and the contact channels for both choices", () => {
    const both = [...text.paragraphs, text.boxes.confirmLoan].join(" ");
    const oneChoice = `${text.boxes.authoriseAgent} ${text.boxes.provideSelf}`;
    for (const term of [/deduct/, /repayments/, /within 30 days/, /SMS, phone, email/]) {
      expect(both).toMatch(term);
      expect(oneChoice).not.toMatch(term);
    }
  });

  test("reads well for a product whose name begins with a vowel", () => {
    expect(consentDocument(consentText({ ...brand, product: "EasyRent" }))).not.toMatch(/\ba EasyRent/);
  });

  test("changes its version whenever its words change", () => {
    const hash = createHash("sha256")
      .update(consentDocument(consentText(defaultBrand)))
      .digest("hex");
    expect([consentVersion, hash]).toEqual([
      "2026-11-26",
      "37ddafdadfce3ed195c3bf1e88c6a2ad7d1d753c5cd2d07dce5da2536c76e8a6",
    ]);
  });

  test("uses the verb of each box's name in its label", () => {
    const { authoriseAgent, provideSelf, confirmLoan } = text.boxes;
    const found = [/authorise/, /provide/, /confirm/].map((word) =>
      [authoriseAgent, provideSelf, confirmLoan].map((label) => word.test(label)),
    );
    expect(found).toEqual([
      [true, false, false],
      [false, true, false],
      [false, false, true],
    ]);
  });

  test("keeps its version and every displayed word in the document", () => {
    expect(words).toContain(`Version ${consentVersion}`);
    for (const shown of [...text.paragraphs, ...Object.values(text.boxes)]) expect(words).toContain(shown);
  });

  test("can be read back from the document, with the boxes as they were ticked", () => {
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

test("a document with fewer boxes than the current text leaves the others without labels", () => {
  const { boxes } = readConsentDocument("Version 1\n\nWords.\n\n[ ] I agree.", consent(true, false, true));
  expect(boxes.map(({ label }) => label)).toEqual(["I agree.", "", ""]);
});

test("a record of an earlier text can still be read", () => {
  const document = [
    "Version 2026-11-01",
    'You are applying to Wattle Lane Lending Pty Ltd (ACN 000 000 000), "the lender", for a RentAhead Loan: an advance on the future rent of your property, paid to your managing agent.',
    "The lender may contact you about this application and the RentAhead Loan by SMS, phone, email or through its app.",
    "You must tell the lender within 30 days if any of the details in this application change.",
    "[ ] I authorise my managing agent to give the lender the information and documents it needs for my RentAhead Loan, and to deduct repayments from my rent.",
    "[ ] I will provide the information and documents for my RentAhead Loan myself.",
    "[ ] I confirm that the details in this application are true and complete, that I want to apply for the RentAhead Loan, and that I will tell the lender within 30 days of any change.",
  ];
  const { paragraphs, boxes } = readConsentDocument(document.join("\n\n"), consent(true, false, true));
  expect(paragraphs).toEqual(document.slice(1, 4));
  expect(boxes.map(({ label, isTicked }) => [`[ ] ${label}`, isTicked])).toEqual([
    [document[4], true],
    [document[5], false],
    [document[6], true],
  ]);
});
