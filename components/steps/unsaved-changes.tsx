import Link from "next/link";
import { Fragment, type ReactNode } from "react";
import { LiveNotice } from "@/components/form/form-notices";
import { useForm } from "@/components/form/use-form";
import { whyBlocked } from "@/components/review/consent-block";
import { Banner } from "@/components/ui/banner";
import { Button } from "@/components/ui/button";
import type { ConsentAnswers } from "@/lib/domain/application";
import { type AnswerStep, answerSteps, steps } from "@/lib/domain/journey";

interface StepLinkProps {
  step: AnswerStep;
  className?: string;
  children: ReactNode;
}

export function StepLink({ step, className = "", children }: StepLinkProps) {
  const { stepPath, openStep } = useForm();
  return (
    <Link
      prefetch={false}
      href={stepPath(step)}
      className={`link ${className}`}
      onNavigate={(event) => {
        event.preventDefault();
        openStep(step);
      }}
    >
      {children}
    </Link>
  );
}

/** The titles of these steps as a list: 'A, B and C'. */
function Titles({ list, render }: { list: AnswerStep[]; render: (step: AnswerStep) => ReactNode }) {
  return list.map((step, index) => (
    <Fragment key={step}>
      {index > 0 && (index === list.length - 1 ? " and " : ", ")}
      {render(step)}
    </Fragment>
  ));
}

const title = (step: AnswerStep) => steps[step].title;

/** Shown at the top of a review, which shows only saved answers. */
export function UnsavedBanner({ unsaved }: { unsaved: AnswerStep[] }) {
  return (
    <LiveNotice>
      {unsaved.length > 0 && (
        <Banner tone="info" isInLiveRegion>
          <p>
            You've made changes in <Titles list={unsaved} render={title} /> but haven't saved them.
          </p>
          <p className="font-normal">Your saved answers are below. Save or undo your changes before you submit.</p>
        </Banner>
      )}
    </LiveNotice>
  );
}

/**
 * Why an application cannot be submitted, shown next to the button; undefined if it can. A submission submits only what is
 * saved, so unsaved changes block it: the applicant would think that they are included.
 */
export function blockedReason(unsaved: AnswerStep[], consent: ConsentAnswers): ReactNode {
  const missingConsent = whyBlocked(consent);
  if (unsaved.length === 0) return missingConsent && <p className="text-ink-soft">{missingConsent}</p>;
  return (
    <>
      <p className="border-accent border-l-4 pl-3">
        To submit, save or undo your changes in{" "}
        <Titles list={unsaved} render={(step) => <StepLink step={step}>{title(step)}</StepLink>} />.
      </p>
      {missingConsent && <p className="mt-2 text-ink-soft">{missingConsent}</p>}
    </>
  );
}

/** At least as long as the reason that it replaces, so that Submit does not move under a double tap on Undo. */
export function UndoneNote({ undone }: { undone: AnswerStep[] }) {
  if (undone.length === 0) return null;
  return (
    <p className="border-accent border-l-4 pl-3">
      We've undone your changes in <Titles list={undone} render={title} />. You'll submit what's shown above.
    </p>
  );
}

interface UndoButtonsProps {
  unsaved: AnswerStep[];
  undone: AnswerStep[];
  busy: boolean;
  onUndo: (step: AnswerStep) => void;
}

/** A button that was pressed stays, so that it keeps the focus. */
export function UndoButtons({ unsaved, undone, busy, onUndo }: UndoButtonsProps) {
  const listed = answerSteps.filter((step) => unsaved.includes(step) || undone.includes(step));
  if (listed.length === 0) return null;
  return (
    <div className="mb-6 flex flex-wrap gap-3">
      {listed.map((step) => (
        <Button key={step} kind="secondary" disabled={busy || undone.includes(step)} onClick={() => onUndo(step)}>
          Undo changes in {title(step)}
        </Button>
      ))}
    </div>
  );
}
