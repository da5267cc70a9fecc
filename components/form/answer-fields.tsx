import { type ReactNode, useSyncExternalStore } from "react";
import { useBrand } from "@/components/site/brand-context";
import { useMoney } from "@/components/site/use-money";
import type { Change, HighlightStyle } from "@/components/ui/changed-mark";
import { DateField } from "@/components/ui/date-field";
import type { FieldProps } from "@/components/ui/field-frame";
import { MoneyField } from "@/components/ui/money-field";
import { PhoneField } from "@/components/ui/phone-field";
import { TextField, type TypingAids } from "@/components/ui/text-field";
import { loanAmountFor } from "@/lib/domain/advance";
import { answers, labelOf, type NamesWith, type SavedAnswer } from "@/lib/domain/application";
import { centsOf } from "@/lib/domain/money";
import { changedFrom } from "@/lib/domain/shown-answers";
import { useAnswers, useShown } from "./answers-context";

interface AnswerFieldProps<N extends SavedAnswer> extends Pick<FieldProps, "hint" | "required"> {
  name: N;
  /** How a change of the invitation's value is marked. */
  highlight?: HighlightStyle;
}

/** What every kind of field needs from the form. */
function useField({ name, highlight: style, required = true, hint }: AnswerFieldProps<SavedAnswer>) {
  const { source, invited, errorOf, isLocked, type, leave } = useAnswers();
  const value = useShown(name)[name];
  const { exact } = useMoney();
  const from = changedFrom(invited, name, value);
  const isMoney = answers[name].kind === "money";
  const error = errorOf(name, value);
  const changed: Change | undefined =
    from === undefined ? undefined : { from: isMoney ? exact(centsOf(from)) : from, style };
  return {
    hint,
    required,
    id: name,
    label: labelOf(name, source),
    value,
    error,
    changed,
    readOnly: isLocked(name),
    // Told beside the input: its error, and its change from the invitation.
    onType: (text: string) => type(name, text, Boolean(error || invited[name as keyof typeof invited])),
    onBlur: () => leave(name),
  };
}

type TextFieldProps = AnswerFieldProps<NamesWith<{ kind: "text" | "email" }>> & TypingAids;

export function TextAnswerField({ name, hint, required, highlight = "subtle", ...aids }: TextFieldProps) {
  return <TextField {...aids} {...useField({ name, hint, required, highlight })} />;
}

/** The agreement is sent to this address, so a change from the invitation gets the full mark. */
export function EmailAnswerField(props: TextFieldProps) {
  return (
    <TextAnswerField
      highlight="default"
      type="email"
      inputMode="email"
      autoCapitalize="none"
      spellCheck={false}
      {...props}
    />
  );
}

interface DateFieldProps extends AnswerFieldProps<NamesWith<{ kind: "date" }>> {
  /** Said of a day before today. */
  past?: string;
}

export function DateAnswerField({ past, ...props }: DateFieldProps) {
  const { locale } = useBrand();
  const { answer } = useAnswers();
  return (
    <DateField {...useField(props)} locale={locale} past={past} onType={(date) => answer({ [props.name]: date })} />
  );
}

interface PhoneFieldProps extends AnswerFieldProps<NamesWith<{ kind: "phone" }>> {
  autoComplete: string;
}

export function PhoneAnswerField({ autoComplete, ...props }: PhoneFieldProps) {
  const { name } = props;
  const { answer, countryOf, pickCountry, subscribe } = useAnswers();
  const field = useField(props);
  // Of its own: another country may have the same digits.
  const picked = useSyncExternalStore(subscribe, () => countryOf(name));
  let isPicked = false;
  return (
    <PhoneField
      {...field}
      hint={field.readOnly ? "From your invitation. It cannot be changed here." : field.hint}
      autoComplete={autoComplete}
      picked={picked}
      // With another country at once, so that number and flag are shown together.
      onType={(digits) => (isPicked ? answer({ [name]: digits }) : field.onType(digits))}
      onPick={(code) => {
        isPicked = true;
        pickCountry(name, code);
      }}
    />
  );
}

interface MoneyFieldProps extends AnswerFieldProps<NamesWith<{ kind: "money" }>> {
  /** The maximum in cents; a larger amount is set to it while typing. */
  most?: number;
  /** Shown below the field: the amount as formatted money, or how it is worked out. */
  echo?: ReactNode;
}

/** Typing an answer that takes part in the sum computes the loan amount anew (docs/decisions/one-amount.md). */
export function MoneyAnswerField({ most, echo, ...props }: MoneyFieldProps) {
  const { name } = props;
  const { shown, answer } = useAnswers();
  const { symbol } = useMoney();
  function type(amount: string) {
    const changes = { [name]: amount };
    if (answers[name].share) changes.loanAmount = loanAmountFor({ ...shown(), ...changes });
    answer(changes);
  }
  return <MoneyField {...useField(props)} symbol={symbol} most={most} echo={echo} onType={type} />;
}
