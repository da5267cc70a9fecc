import { useBrand } from "@/components/site/brand-context";
import { useMoney } from "@/components/site/use-money";
import { SummaryList } from "@/components/ui/summary-list";
import { type AdvanceAnswers, isAtLimit, isCapped, maximumAdvance, partsOf } from "@/lib/domain/advance";
import { type ApplicationAnswers, kindOf, savedAnswers } from "@/lib/domain/application";
import { centsOf, currencyName } from "@/lib/domain/money";

interface CalculationSummaryProps {
  values: ApplicationAnswers;
  /** The answers that the applicant had read. */
  read?: ApplicationAnswers;
  /** Set on the receipt. */
  toTheCent?: boolean;
}

const hasCents = (values: ApplicationAnswers) =>
  savedAnswers.some((name) => kindOf(name) === "money" && centsOf(values[name]) % 100 !== 0);

/**
 * Shown only if there is a weekly rent (specification, section 2, step 4). The rental advance is always the loan amount,
 * whatever the invoice (docs/decisions/one-amount.md).
 */
export function CalculationSummary({ values, read = values, toTheCent }: CalculationSummaryProps) {
  const { whole, earlier } = useMoney(toTheCent);
  const brand = useBrand();
  const { currentRent, loanAmount } = values;
  if (centsOf(currentRent) <= 0) return null;
  // The note has the specification's wording and condition, even if the requested amount is below the cap.
  const hasCapNote = isCapped(currentRent);
  const hasAsterisk = hasCapNote && centsOf(loanAmount) === maximumAdvance;
  return (
    <SummaryList
      title="Calculation Summary"
      rows={[
        {
          label: "Rental Advance",
          value: loanAmount && (
            <strong className={`font-semibold text-xl ${hasAsterisk ? "after:content-['*']" : ""}`}>
              {whole(centsOf(loanAmount))}
            </strong>
          ),
          fallback: "Not specified",
          change:
            read.loanAmount === loanAmount
              ? undefined
              : { from: earlier(centsOf(read.loanAmount), centsOf(loanAmount)), sinceRead: true },
        },
      ]}
    >
      {hasCapNote && <p className="mt-2 text-sm">* Capped at maximum loan amount of {whole(maximumAdvance)}</p>}
      <AdvanceTable values={values} onReview toTheCent={toTheCent} />
      {!toTheCent && (
        <div className="mt-2 grid gap-1 text-ink-soft text-sm">
          {hasCents(values) && (
            <p>Amounts here are in whole {currencyName(brand)}. Your receipt will show the exact amounts.</p>
          )}
          <p>{brand.costNote}</p>
        </div>
      )}
    </SummaryList>
  );
}

interface AdvanceTableProps {
  values: AdvanceAnswers;
  /** Shows whole dollars and leaves out extra funds of 0 (specification, section 2, step 4). */
  onReview?: boolean;
  toTheCent?: boolean;
}

/** With large text on a narrow phone, the amount moves below its label. */
const row = "flex flex-wrap gap-x-3";

/** The parts of the loan amount, and the part of the invoice that it does not cover. */
export function AdvanceTable({ values, onReview = false, toTheCent }: AdvanceTableProps) {
  const { exact, whole, round } = useMoney(toTheCent);
  const shown = onReview ? whole : exact;
  const { loan, invoice, extra, uncovered } = partsOf(values, onReview ? round : undefined);
  const isCovered = partsOf(values).uncovered === 0;
  // The review's own note about the cap says it already.
  const isLimited = isAtLimit(values) && !(onReview && isCapped(values.currentRent));
  if (centsOf(values.loanAmount) === 0) return null;
  const rows: [string, number][] = [[isCovered ? "Invoice" : "Part of the invoice", invoice]];
  if (extra > 0 || !onReview) rows.push(["Extra funds", extra]);
  return (
    <>
      <table className="mt-3 w-full max-w-96 text-sm tabular-nums">
        <caption className="sr-only">How the loan amount adds up</caption>
        <tbody>
          {rows.map(([label, cents]) => (
            <tr key={label} className={row}>
              <th scope="row" className="py-1 text-left font-normal text-ink-soft">
                {label}
              </th>
              <td className="ml-auto py-1">{shown(cents)}</td>
            </tr>
          ))}
        </tbody>
        <tfoot className="border-line-strong border-t font-semibold">
          <tr className={row}>
            <th scope="row" className="py-1 text-left font-semibold">
              {isLimited ? `Total, limited to ${exact(maximumAdvance)}` : "Total"}
            </th>
            <td className="ml-auto py-1">{shown(loan)}</td>
          </tr>
        </tfoot>
      </table>
      {!isCovered && (
        <p className="mt-2 text-sm">
          {`The advance doesn't cover ${uncovered > 0 ? shown(uncovered) : "all"} of the invoice.`}
        </p>
      )}
    </>
  );
}
