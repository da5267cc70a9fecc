import { renderToStaticMarkup } from "react-dom/server";
import { cap, overCap } from "@/__tests__/support/answers";
import { newApplication } from "@/__tests__/support/applicant";
import { randomAmounts } from "@/__tests__/support/random-amounts";
import { reportFigure, size } from "@/__tests__/support/size";
import { CalculationSummary } from "@/components/application/review/calculation-summary";
import { SentAnswers } from "@/components/application/review/receipt-screen";
import { BrandProvider } from "@/components/site/brand-context";
import { defaultBrand } from "@/lib/brand";
import type { AdvanceAnswers } from "@/lib/domain/advance";
import type { ApplicationView } from "@/lib/domain/application";
import { centsOf, formatCents } from "@/lib/domain/money";
import { receiptSections } from "@/lib/domain/receipt-text";

const Review = ({ application }: { application: ApplicationView }) => <CalculationSummary values={application} />;

const Receipt = ({ application }: { application: ApplicationView }) => (
  <SentAnswers sections={receiptSections(application, defaultBrand)} />
);

/** Reads the advance and the uncovered part of the invoice from the markup. */
function shownBy(List: typeof Review, amounts: AdvanceAnswers) {
  const markup = renderToStaticMarkup(
    <BrandProvider value={defaultBrand}>
      <List application={newApplication(amounts)} />
    </BrandProvider>,
  );
  const find = (pattern: RegExp) => markup.match(pattern)?.slice(1).find(Boolean)?.replace(/\*$/, "") ?? null;
  return [
    find(/Rental Advance<\/dt><dd[^>]*><span><strong[^>]*>([^<]+)</),
    find(/>([^<>]+) (?:of the repair isn|of the repair is covered)/),
  ];
}

/** Reviews show whole dollars, and the receipt shows cents. */
function expected({ loanAmount, invoiceAmount }: AdvanceAnswers, toTheCent: boolean) {
  const rounded = (amount: string) => (toTheCent ? centsOf(amount) : Math.round(centsOf(amount) / 100) * 100);
  const open = rounded(invoiceAmount) - rounded(loanAmount);
  const advance = formatCents(centsOf(loanAmount), defaultBrand, toTheCent);
  const isOpen = centsOf(invoiceAmount) > centsOf(loanAmount);
  return [advance, isOpen ? (open > 0 ? formatCents(open, defaultBrand, toTheCent) : "Not all") : null];
}

test("reviews and receipt show the same advance, and the same uncovered part of the invoice", () => {
  const samples = [
    { currentRent: "400", invoiceAmount: overCap, loanAmount: cap },
    { currentRent: "300", invoiceAmount: "2450", loanAmount: "1000" },
    ...randomAmounts(size(100, 10_000)),
  ];
  for (const amounts of samples) {
    expect([amounts, shownBy(Review, amounts)]).toEqual([amounts, expected(amounts, false)]);
    expect([amounts, shownBy(Receipt, amounts)]).toEqual([amounts, expected(amounts, true)]);
  }
  const open = samples.filter((amounts) => expected(amounts, false)[1] !== null).length;
  expect(open).toBeGreaterThan(samples.length / 10);
  const figure = `${samples.length} random answers, ${open} with a part of the invoice left open`;
  reportFigure(31, `${figure}: both reviews and the receipt name one advance`);
}, 600_000);

test("the Calculation Summary shows an empty loan amount as 'Not specified', and not as 0", () => {
  const markup = renderToStaticMarkup(
    <BrandProvider value={defaultBrand}>
      <CalculationSummary values={newApplication({ currentRent: "300", loanAmount: "" })} />
    </BrandProvider>,
  );
  expect(markup).toContain("Not specified");
  expect(markup).not.toContain("$0");
});
