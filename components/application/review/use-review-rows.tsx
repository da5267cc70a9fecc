import { useBrand } from "@/components/site/brand-context";
import { CallUs } from "@/components/site/support-contacts";
import { useMoney } from "@/components/site/use-money";
import type { Change } from "@/components/ui/changed-mark";
import { usePhoneLibrary } from "@/components/ui/phone-format";
import type { SummaryRow } from "@/components/ui/summary-list";
import { answerText, fallbackOf, shownNames } from "@/lib/domain/answer-text";
import {
  type ApplicationAnswers,
  type InvitedAnswers,
  kindOf,
  labelOf,
  type SavedAnswer,
  savedAnswers,
} from "@/lib/domain/application";
import type { AnswerStep } from "@/lib/domain/journey";
import { centsOf } from "@/lib/domain/money";
import { needsLibrary } from "@/lib/domain/readable-phone";
import { changedFrom, warningOf } from "@/lib/domain/shown-answers";

interface AnswerRow extends SummaryRow {
  name: SavedAnswer;
}

interface RowOptions {
  invited?: InvitedAnswers;
  /** The answers that the applicant had read. */
  read?: ApplicationAnswers;
}

/**
 * Returns a function that lists the rows of a step, for both reviews. With `invited`, changes from the invitation are marked.
 * With `read`, changes since the applicant read the answers are marked.
 */
export function useReviewRows(values: ApplicationAnswers, { invited, read }: RowOptions) {
  const { locale, currency } = useBrand();
  const { earlier } = useMoney();
  const isUngrouped = (name: SavedAnswer) => kindOf(name) === "phone" && needsLibrary(values[name]);
  const style = { locale, currency, phones: usePhoneLibrary(savedAnswers.some(isUngrouped)) };

  function changeOf(name: SavedAnswer): Change | undefined {
    const sinceRead = read !== undefined && read[name] !== values[name];
    const from = sinceRead ? read[name] : invited && changedFrom(invited, name, values[name]);
    return from === undefined
      ? undefined
      : {
          from:
            kindOf(name) === "money" ? earlier(centsOf(from), centsOf(values[name])) : answerText(name, from, style),
          sinceRead,
          style: sinceRead ? "default" : "icon",
        };
  }

  function row(name: SavedAnswer): AnswerRow {
    const warning = invited && warningOf(name, invited, values);
    return {
      name,
      label: labelOf(name, values.source),
      value: answerText(name, values[name], style),
      fallback: fallbackOf(name),
      change: changeOf(name),
      note: warning && (
        <div className="mt-1 text-sm">
          This is still the number from your invitation.
          <CallUs question={warning.question} mobile={values.mobile} />
        </div>
      ),
    };
  }

  return (step: AnswerStep): AnswerRow[] => shownNames(step, values, read).map(row);
}
