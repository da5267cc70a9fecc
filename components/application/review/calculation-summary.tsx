import { useBrand } from "@/components/site/brand-context";
import { useMoney } from "@/components/site/use-money";
import { SummaryList } from "@/components/ui/summary-list";
import { type AdvanceAnswers, hasSummary, isAtLimit, isCapped, maximumAdvance, partsOf } from "@/lib/domain/advance";
import { type ApplicationAnswers, kindOf, savedAnswers } from "@/lib/domain/application";
import { centsOf, currencyName } from "@/lib/domain/money";
import { costNoun } from "@/lib/domain/source";

interface CalculationSummaryProps {
  values: ApplicationAnswers;
  /** The answers that the applicant had read. */
  read?: ApplicationAnswers;
}

const hasCents = (values: ApplicationAnswers) =>
  savedAnswers.some((name) => kindOf(name) === "money" && centsOf(values[name]) % 100 !== 0);

/**
 * Shown only if there is a weekly rent (specification, section 2, step 4). The rental advance is always the loan amount,
 * whatever the invoice (docs/decisions/one-amount.md).
 */
export function CalculationSummary({ values, read = values }: CalculationSummaryProps) {
  const { whole, earlier } = useMoney();
  const brand = useBrand();
  const { currentRent, loanAmount, agencyName } = values;
  if (!hasSummary(values)) return null;
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
            <LargeAmount note={agencyName && `paid to ${agencyName}`}>
              {`${whole(centsOf(loanAmount))}${hasAsterisk ? "*" : ""}`}
            </LargeAmount>
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
      {!hasCapNote && isAtLimit(values) && <p className="mt-2 text-sm">{`Limited to ${whole(maximumAdvance)}`}</p>}
      <AdvanceTable values={values} source={values.source} onReview />
      <div className="mt-2 grid gap-1 text-ink-soft text-sm">
        {hasCents(values) && (
          <p>Amounts here are in whole {currencyName(brand)}. Your receipt will show the exact amounts.</p>
        )}
        <p>{brand.costNote}</p>
      </div>
    </SummaryList>
  );
}

export const LargeAmount = ({ children, note }: { children: string; note?: string }) => (
  <>
    <strong className="font-semibold text-2xl">{children}</strong>
    {note && <span className="block">{note}</span>}
  </>
);

interface AdvanceTableProps {
  values: AdvanceAnswers;
  source: string;
  /** Shows whole dollars (specification, section 5). */
  onReview?: boolean;
}

/** With large text on a narrow phone, the amount moves below its label. */
const row = "flex flex-wrap gap-x-3";

/** The parts of the loan amount, without those of 0, and the part of the costs that it does not cover. */
export function AdvanceTable({ values, source, onReview = false }: AdvanceTableProps) {
  const { exact, whole, round } = useMoney();
  const shown = onReview ? whole : exact;
  const { loan, invoice, extra, uncovered } = partsOf(values, onReview ? round : undefined);
  const isCovered = partsOf(values).uncovered === 0;
  if (centsOf(values.loanAmount) === 0) return null;
  const noun = costNoun(source);
  const capitalised = noun.charAt(0).toUpperCase() + noun.slice(1);
  const parts: [string, number][] = [
    [isCovered ? capitalised : `Part of the ${noun}`, invoice],
    ["Extra funds", extra],
  ];
  const rows = parts.filter(([, cents]) => cents > 0);
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
        {/* The review shows the total above, as the rental advance. */}
        {!onReview && (
          <tfoot className="border-line-strong border-t font-semibold">
            <tr className={row}>
              <th scope="row" className="py-1 text-left font-semibold">
                {isAtLimit(values) ? `Total, limited to ${exact(maximumAdvance)}` : "Total"}
              </th>
              <td className="ml-auto py-1">{shown(loan)}</td>
            </tr>
          </tfoot>
        )}
      </table>
      {!isCovered && (
        <p className="mt-2 text-sm">
          {uncovered > 0 ? `${shown(uncovered)} of the ${noun} isn't covered.` : `Not all of the ${noun} is covered.`}
        </p>
      )}
    </>
  );
}
