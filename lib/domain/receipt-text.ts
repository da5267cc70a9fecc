import { hasSummary, isCapped, maximumAdvance, partsOf } from "./advance";
import { answerText, fallbackOf, shownNames, type TextStyle } from "./answer-text";
import { type ApplicationAnswers, labelOf, type ReceiptSection } from "./application";
import { answerSteps, steps } from "./journey";
import { formatCents } from "./money";
import { costNoun } from "./source";

/** The submitted answers in the words and with the limits of today, with amounts to the cent. */
export function receiptSections(values: ApplicationAnswers, brand: TextStyle): ReceiptSection[] {
  const style = { ...brand, toTheCent: true };
  const sections = answerSteps.map((step) => ({
    title: steps[step].title,
    rows: shownNames(step, values).map((name) => ({
      label: labelOf(name, values.source),
      text: answerText(name, values[name], style) || fallbackOf(name),
    })),
    notes: [],
  }));
  return hasSummary(values) ? [...sections, calculation(values, style)] : sections;
}

function calculation(values: ApplicationAnswers, style: TextStyle): ReceiptSection {
  const money = (cents: number) => formatCents(cents, style, true);
  const { loan, invoice, extra, uncovered } = partsOf(values);
  const noun = costNoun(values.source);
  // The reviews show the note whatever the amount (specification, section 2, step 4). A receipt shows it only if it is true.
  const isLimited = isCapped(values.currentRent) && loan === maximumAdvance;
  const parts = [
    { label: uncovered > 0 ? `Part of the ${noun}` : upperFirst(noun), cents: invoice },
    { label: "Extra funds", cents: extra },
  ];
  return {
    title: "Calculation Summary",
    rows: [
      { label: "Rental Advance", text: `${money(loan)}${isLimited ? "*" : ""}`, note: `paid to ${values.agencyName}` },
      ...parts.filter(({ cents }) => cents > 0).map(({ label, cents }) => ({ label, text: money(cents) })),
    ],
    notes: [
      ...(isLimited ? [`* Capped at maximum loan amount of ${money(maximumAdvance)}`] : []),
      ...(uncovered > 0 ? [`${money(uncovered)} of the ${noun} isn't covered.`] : []),
    ],
  };
}

const upperFirst = (text: string) => `${text[0]?.toUpperCase()}${text.slice(1)}`;
