import { text } from "node:stream/consumers";
import { renderToStaticMarkup } from "react-dom/server";
import { CalculationSummary } from "@/components/review/calculation-summary";
import { SentAnswers } from "@/components/review/receipt-screen";
import { useReviewRows } from "@/components/review/use-review-rows";
import { BrandProvider } from "@/components/site/brand-context";
import { SummaryList } from "@/components/ui/summary-list";
import { defaultBrand } from "@/lib/brand";
import { type ApplicationView, defaultAnswers, type InvitedAnswers } from "@/lib/domain/application";
import { answerSteps } from "@/lib/domain/journey";

/** What both reviews are made of. */
function Reviewed({ application }: { application: ApplicationView }) {
  const rowsOf = useReviewRows(application);
  return (
    <>
      <SummaryList title="" rows={rowsOf(3)} />
      <CalculationSummary values={application} />
    </>
  );
}

const find = (markup: string, pattern: RegExp) => markup.match(pattern)?.[1] ?? null;

/** The loan amount, the rental advance, and what of the invoice is not covered. */
function namedIn(List: typeof Reviewed, application: ApplicationView) {
  const markup = renderToStaticMarkup(
    <BrandProvider value={defaultBrand}>
      <List application={application} />
    </BrandProvider>,
  );
  return [
    find(markup, /Loan amount<\/dt><dd[^>]*>([^<]+)</),
    find(markup, /Rental Advance<\/dt><dd[^>]*><strong[^>]*>([^<]+)</),
    find(markup, />([^>]+) of the invoice is not covered/),
  ];
}

/**
 * Prints what the reviews and the receipt say of each set of amounts on standard input. A process of its own, because
 * react-dom/server fails under the promises' react-server condition.
 */
async function main(): Promise<void> {
  const all: Partial<ApplicationView>[] = JSON.parse(await text(process.stdin));
  const said = all.map((amounts) => {
    const application: ApplicationView = {
      ...defaultAnswers,
      ...{ reference: "", status: "submitted", submittedAt: null, version: "", consent: null },
      ...{ invited: {} as InvitedAnswers, savedSteps: answerSteps },
      ...amounts,
    };
    return { review: namedIn(Reviewed, application), receipt: namedIn(SentAnswers, application) };
  });
  process.stdout.write(JSON.stringify(said));
}

void main();
