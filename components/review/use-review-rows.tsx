import { useBrand } from "@/components/site/brand-context";
import { useMoney } from "@/components/site/use-money";
import type { Change } from "@/components/ui/changed-mark";
import { useReadablePhone } from "@/components/ui/phone-format";
import type { SummaryRow } from "@/components/ui/summary-list";
import { extraFunds } from "@/lib/domain/advance";
import {
  type ApplicationAnswers,
  answers,
  type InvitedAnswers,
  isAsked,
  labelOf,
  namesOf,
  type SavedAnswer,
} from "@/lib/domain/application";
import { formatCalendarDate, isCalendarDate } from "@/lib/domain/calendar-date";
import type { AnswerStep } from "@/lib/domain/journey";
import { centsOf } from "@/lib/domain/money";
import { changedFrom } from "@/lib/domain/shown-answers";

export interface AnswerRow extends SummaryRow {
  name: SavedAnswer | "extraFunds";
}

function PhoneText({ digits }: { digits: string }) {
  return useReadablePhone(digits);
}

interface Earlier {
  invited?: InvitedAnswers;
  /** What the person had read. */
  read?: ApplicationAnswers;
}

/**
 * The rows of each step, for both reviews and the receipt. If `invited` is given, changes from the invitation are marked;
 * if `read` is, changes since it was read.
 */
export function useReviewRows(values: ApplicationAnswers, { invited, read }: Earlier = {}) {
  const { locale } = useBrand();
  const { whole } = useMoney();

  function shown(name: SavedAnswer, value: string) {
    switch (value && answers[name].kind) {
      case "phone":
        return <PhoneText digits={value} />;
      case "date":
        return isCalendarDate(value) && formatCalendarDate(value, locale);
      case "money":
        return whole(centsOf(value));
      default:
        return value;
    }
  }

  function changeOf(name: SavedAnswer): Change | undefined {
    const sinceRead = read !== undefined && read[name] !== values[name];
    const from = sinceRead ? read[name] : invited && changedFrom(invited, name, values[name]);
    return from === undefined
      ? undefined
      : { from: shown(name, from), sinceRead, style: sinceRead ? "default" : "icon" };
  }

  function row(name: SavedAnswer): AnswerRow {
    const { kind } = answers[name];
    return {
      name,
      label: labelOf(name, values.source),
      value: shown(name, values[name]),
      otherwise: kind === "date" || kind === "money" ? "Not specified" : "Not provided",
      change: changeOf(name),
    };
  }

  const extraOf = ({ loanAmount, invoiceAmount }: ApplicationAnswers) => extraFunds(loanAmount, invoiceAmount);
  const extra = extraOf(values);
  const extraRead = extraOf(read ?? values);
  const extraRow: AnswerRow = {
    name: "extraFunds",
    label: "Extra funds",
    value: whole(extra),
    otherwise: "",
    change: extra === extraRead ? undefined : { from: whole(extraRead), sinceRead: true, style: "default" },
  };
  return (step: AnswerStep): AnswerRow[] =>
    namesOf(step)
      .filter((name) => isAsked(name, values.source))
      .flatMap((name) => (name === "loanAmount" && (extra > 0 || extraRead > 0) ? [row(name), extraRow] : [row(name)]));
}
