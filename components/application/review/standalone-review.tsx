import Link from "next/link";
import type { ReactNode } from "react";
import { OfflineNotice, SubmitErrorBanner } from "@/components/application/saving/form-notices";
import { useForm } from "@/components/application/saving/use-form";
import { WindowTitle } from "@/components/site/window-title";
import { Banner } from "@/components/ui/banner";
import { SummaryList } from "@/components/ui/summary-list";
import { openPage } from "@/lib/client/open-page";
import type { SavedAnswer } from "@/lib/domain/application";
import { type AnswerStep, answerSteps, resumeStep, reviewStep, steps } from "@/lib/domain/journey";
import { ChangeLink, ReviewForm } from "./review-step";
import { useReviewRows } from "./use-review-rows";

/** Back leads to the last step with answers, never to the form's own review. */
const lastAnswerStep = Math.max(...answerSteps);

/** The text of a link after 'Change'. */
const linkText = (step: AnswerStep) => ` ${steps[step].title.toLowerCase()}`;

/** /review&submit: the saved application on one page, to agree to and submit. */
export function StandaloneReview() {
  const { application, saved, reviewed } = useForm();
  const rowsOf = useReviewRows(saved, { invited: application.invited, read: reviewed.read?.answers });
  const personal = rowsOf(1);
  const isProperty = ({ name }: { name: string }) => name === "propertyAddress";
  const isOther = (step: AnswerStep) => step !== 1 && step !== 3;
  const missing = resumeStep(application);
  // A later step opens only once this one is complete.
  const change = (step: AnswerStep, what: ReactNode, field?: SavedAnswer) =>
    step <= missing && (
      <ChangeLink step={step} field={field}>
        {what}
      </ChangeLink>
    );
  const isComplete = missing === reviewStep;
  const missingPath = `/home?step=${missing}`;
  return (
    <>
      <WindowTitle title="Check and submit your application" />
      <div className="flex flex-col gap-6">
        <OfflineNotice step={reviewStep} />
        <SubmitErrorBanner step={reviewStep} />
        <ReviewForm
          title={
            <h1 tabIndex={-1} className="font-bold text-xl max-sm:-mb-2 sm:text-2xl">
              Review Your Application
            </h1>
          }
          onBack={() => openPage(`/home?step=${lastAnswerStep}`)}
        >
          {!isComplete && (
            <Banner tone="info">
              <p>Your application isn't complete yet.</p>
              <Link
                prefetch={false}
                href={missingPath}
                onNavigate={(event) => {
                  event.preventDefault();
                  openPage(missingPath);
                }}
                className="link inline-flex min-h-11 items-center"
              >
                {`Continue with ${steps[missing].title}`}
              </Link>
            </Banner>
          )}
          <SummaryList
            title="Personal Details"
            rows={personal.filter((row) => !isProperty(row))}
            action={change(1, <span className="sr-only"> personal details</span>)}
          />
          <SummaryList
            title="Property & Rental Details"
            rows={[...personal.filter(isProperty), ...rowsOf(3)]}
            action={
              <div className="flex flex-wrap gap-x-4">
                {change(1, " address", "propertyAddress")}
                {change(3, linkText(3))}
              </div>
            }
          />
          {answerSteps.filter(isOther).map((step) => (
            <SummaryList
              key={step}
              title={steps[step].heading}
              rows={rowsOf(step)}
              action={change(step, <span className="sr-only">{linkText(step)}</span>)}
            />
          ))}
        </ReviewForm>
      </div>
    </>
  );
}
