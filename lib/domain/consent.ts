import type { Brand } from "@/lib/brand";
import type { ConsentAnswers } from "./application";

/** The date of the text below; change it with every change of the text. A submission records both. */
export const consentVersion = "2026-11-26";

export interface ConsentText {
  version: string;
  /** The paragraphs above the checkboxes. */
  paragraphs: string[];
  boxes: Record<keyof ConsentAnswers, string>;
}

type ConsentBrand = Pick<Brand, "legalName" | "companyNumber" | "product">;

export function consentText({ legalName, companyNumber, product }: ConsentBrand): ConsentText {
  return {
    version: consentVersion,
    paragraphs: [
      `You are applying to ${legalName} (${companyNumber}), "the lender", for the ${product} Loan. It is an advance on the future rent of your property, paid to your managing agent.`,
      `You give your agent the authority to deduct the repayments from your rent and pay them to the lender. This applies whichever choice you make below.`,
      `The lender may contact you about this application and the ${product} Loan by SMS, phone, email or through its app.`,
      "You must tell the lender within 30 days if any of the details in this application change.",
    ],
    boxes: {
      authoriseAgent: `I authorise my agent to give the lender the details and documents it needs for my ${product} Loan.`,
      provideSelf: `I will provide the details and documents for my ${product} Loan myself.`,
      confirmLoan: `I confirm that the details in this application are true and complete. I want to apply for the ${product} Loan. Repayments may be deducted from my rent. I will tell the lender within 30 days of any change.`,
    },
  };
}

/** 'Authorise agent' and 'provide myself' exclude each other: ticking one clears the other. */
export function toggleConsent(consent: ConsentAnswers, box: keyof ConsentAnswers, ticked: boolean): ConsentAnswers {
  const next = { ...consent, [box]: ticked };
  if (ticked && box === "authoriseAgent") next.provideSelf = false;
  if (ticked && box === "provideSelf") next.authoriseAgent = false;
  return next;
}

const boxOrder = ["authoriseAgent", "provideSelf", "confirmLoan"] as const;
const boxMark = "[ ] ";

/** The consent text as one document, in the order shown. The consent record stores it. */
export function consentDocument({ version, paragraphs, boxes }: ConsentText): string {
  const labels = boxOrder.map((box) => boxMark + boxes[box]);
  return [`Version ${version}`, ...paragraphs, ...labels].join("\n\n");
}

/** Parses a stored document for display, without its version line and with the boxes as they were ticked. */
export function readConsentDocument(document: string, consent: ConsentAnswers) {
  const parts = document.split("\n\n").slice(1);
  const boxes = parts.filter((part) => part.startsWith(boxMark));
  return {
    paragraphs: parts.filter((part) => !boxes.includes(part)),
    boxes: boxOrder.map((box, index) => ({ label: boxes[index]?.slice(boxMark.length) ?? "", isTicked: consent[box] })),
  };
}
