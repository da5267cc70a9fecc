import { text } from "node:stream/consumers";
import { renderToStaticMarkup } from "react-dom/server";
import { CalculationSummary } from "@/components/review/calculation-summary";
import { useReviewRows } from "@/components/review/use-review-rows";
import { BrandProvider } from "@/components/site/brand-context";
import { SummaryList } from "@/components/ui/summary-list";
import { defaultBrand } from "@/lib/brand";
import { type ApplicationAnswers, defaultAnswers } from "@/lib/domain/application";

/**
 * Prints what a review or the receipt says of each set of amounts on standard input. A process of its own, because
 * react-dom/server fails under the promises' react-server condition.
 */
function Shown({ values }: { values: ApplicationAnswers }) {
  const rowsOf = useReviewRows(values);
  return (
    <>
      <SummaryList title="" rows={rowsOf(3)} />
      <CalculationSummary values={values} />
    </>
  );
}

const find = (markup: string, pattern: RegExp) => markup.match(pattern)?.[1] ?? null;

async function main(): Promise<void> {
  const all: Partial<ApplicationAnswers>[] = JSON.parse(await text(process.stdin));
  const said = all.map((amounts) => {
    const markup = renderToStaticMarkup(
      <BrandProvider value={defaultBrand}>
        <Shown values={{ ...defaultAnswers, ...amounts }} />
      </BrandProvider>,
    );
    return [
      find(markup, /Loan amount<\/dt><dd[^>]*>([^<]+)</),
      find(markup, /Rental Advance<\/dt><dd[^>]*><strong[^>]*>([^<]+)</),
      find(markup, />([^>]+) of the invoice is not covered/),
    ];
  });
  process.stdout.write(JSON.stringify(said));
}

void main();
