import type { ConsentAnswers } from "./application";
import type { ConsentText } from "./consent";

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
    boxes: boxOrder.map((box, index) => ({
      label: boxes[index]?.slice(boxMark.length) ?? "",
      isTicked: consent[box],
    })),
  };
}
