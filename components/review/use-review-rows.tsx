import type { ReactNode } from "react";
import { useBrand } from "@/components/site/brand-context";
import { CallUs } from "@/components/site/support-contacts";
import { useMoney } from "@/components/site/use-money";
import type { Change } from "@/components/ui/changed-mark";
import { ReadablePhone } from "@/components/ui/phone-format";
import type { SummaryRow } from "@/components/ui/summary-list";
import { partsOf } from "@/lib/domain/advance";
import {
  type ApplicationAnswers,
  type InvitedAnswers,
  isAskedFor,
  type Kind,
  kindOf,
  labelOf,
  namesOf,
  optionWords,
  type SavedAnswer,
} from "@/lib/domain/application";
import { formatCalendarDate, isCalendarDate } from "@/lib/domain/calendar-date";
import type { AnswerStep } from "@/lib/domain/journey";
import { centsOf } from "@/lib/domain/money";
import { changedFrom, warningOf } from "@/lib/domain/shown-answers";

interface AnswerRow extends SummaryRow {
  name: SavedAnswer | "extraFunds";
}

interface RowStyle {
  locale: string;
  /** Formats cents as whole dollars. */
  whole: (cents: number) => string;
}

interface RowFormat {
  /** Formats a stored value for reading. */
  shown: (value: string, name: SavedAnswer, style: RowStyle) => ReactNode;
  fallback: string;
}

const plain: RowFormat = { shown: (text) => text, fallback: "Not provided" };

const rows: Record<Exclude<Kind, "checkbox">, RowFormat> = {
  text: plain,
  email: plain,
  source: plain,
  phone: { ...plain, shown: (digits) => <ReadablePhone digits={digits} /> },
  choice: { ...plain, shown: (chosen, name) => optionWords(name, chosen) },
  date: {
    shown: (date, _, { locale }) => isCalendarDate(date) && formatCalendarDate(date, locale),
    fallback: "Not specified",
  },
  money: { shown: (amount, _, { whole }) => whole(centsOf(amount)), fallback: "Not specified" },
};

interface RowOptions {
  invited?: InvitedAnswers;
  /** The answers that the applicant had read. */
  read?: ApplicationAnswers;
  toTheCent?: boolean;
}

/**
 * Returns a function that lists the rows of a step, for both reviews and the receipt. With `invited`, changes from the
 * invitation are marked. With `read`, changes since the applicant read the answers are marked.
 */
export function useReviewRows(values: ApplicationAnswers, { invited, read, toTheCent }: RowOptions) {
  const { locale } = useBrand();
  const { whole, earlier, round } = useMoney(toTheCent);

  const shown = (name: SavedAnswer, value: string) => value && rows[kindOf(name)].shown(value, name, { locale, whole });

  function changeOf(name: SavedAnswer): Change | undefined {
    const sinceRead = read !== undefined && read[name] !== values[name];
    const from = sinceRead ? read[name] : invited && changedFrom(invited, name, values[name]);
    return from === undefined
      ? undefined
      : {
          from: kindOf(name) === "money" ? earlier(centsOf(from), centsOf(values[name])) : shown(name, from),
          sinceRead,
          style: sinceRead ? "default" : "icon",
        };
  }

  function row(name: SavedAnswer): AnswerRow {
    const warning = invited && warningOf(name, invited, values);
    return {
      name,
      label: labelOf(name, values.source),
      value: shown(name, values[name]),
      fallback: rows[kindOf(name)].fallback,
      change: changeOf(name),
      note: warning && (
        <div className="mt-1 text-sm">
          This is still the number from your invitation.
          <CallUs question={warning.question} />
        </div>
      ),
    };
  }

  const { extra } = partsOf(values, round);
  const { extra: extraRead } = partsOf(read ?? values, round);
  const extraRow: AnswerRow = {
    name: "extraFunds",
    label: "Extra funds",
    value: whole(extra),
    change: extra === extraRead ? undefined : { from: whole(extraRead), sinceRead: true, style: "default" },
  };
  // A submission includes an answer that was given under a link with another source, so that answer has its row too.
  const isGiven = (name: SavedAnswer) => labelOf(name) !== "" && Boolean(values[name] || read?.[name]);
  return (step: AnswerStep): AnswerRow[] =>
    namesOf(step)
      .filter((name) => isAskedFor(name, values.source) || isGiven(name))
      .flatMap((name) => (name === "loanAmount" && extra > 0 ? [row(name), extraRow] : [row(name)]));
}
