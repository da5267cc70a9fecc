import { useFormikContext } from "formik";
import { type ComponentType, memo, type ReactNode, useCallback, useEffect, useRef, useState } from "react";
import { useBrand } from "@/components/site/brand-context";
import { CallUs } from "@/components/site/call-us";
import { useMoney } from "@/components/site/use-money";
import type { Change, HighlightStyle } from "@/components/ui/changed-mark";
import { ChoiceField } from "@/components/ui/choice-field";
import { DateField } from "@/components/ui/date-field";
import type { FieldProps } from "@/components/ui/field-frame";
import { MoneyField } from "@/components/ui/money-field";
import { PhoneField } from "@/components/ui/phone-field";
import { TextField, type TypingAids } from "@/components/ui/text-field";
import { loanAmountFor } from "@/lib/domain/advance";
import {
  type AnswerName,
  type ApplicationAnswers,
  answers,
  type Kind,
  labelOf,
  lockedAnswers,
  type NamesWith,
  optionsOf,
  type SavedAnswer,
} from "@/lib/domain/application";
import { centsOf } from "@/lib/domain/money";
import { defaultCountry } from "@/lib/domain/phone";
import { changedFrom, warningsOf } from "@/lib/domain/shown-answers";
import type { StepValues } from "./next";
import { useForm } from "./use-form";

/** What the fields of this step hold, and how a handler changes it. */
export function useStepValues() {
  const { keep } = useForm();
  const { values, errors, touched, setValues, setFieldTouched } = useFormikContext<StepValues>();
  // While typing, validate only if an error is shown: it has to disappear as soon as it is corrected.
  const showsError = (Object.keys(errors) as SavedAnswer[]).some((name) => touched[name]);
  // The handlers stay the same while somebody types, so that only the fields whose value changes are rendered.
  const change = useCallback(
    (changesOf: (values: ApplicationAnswers) => StepValues) => {
      const changed = (values: StepValues) => {
        const changes = changesOf(values as ApplicationAnswers);
        keep(changes);
        return { ...values, ...changes };
      };
      void setValues(changed, showsError);
    },
    [keep, setValues, showsError],
  );
  /** The person has left the field. Touched comes after the validation: an error that is corrected already must not flash up. */
  const leave = useCallback(
    (name: SavedAnswer, changes?: StepValues) => {
      if (changes) keep(changes);
      void setValues((values) => ({ ...values, ...changes }), true).then(() => void setFieldTouched(name, true, false));
    },
    [keep, setValues, setFieldTouched],
  );
  return { values: values as ApplicationAnswers, errors, touched, change, leave };
}

/** What is wrong with an answer of this step, as its field shows it: found by the schema, or refused by the server. */
export function useErrors() {
  const { refused } = useForm().state;
  const { values, errors, touched } = useStepValues();
  return (name: AnswerName): string | undefined => {
    const found = touched[name as SavedAnswer] ? errors[name as SavedAnswer] : undefined;
    const { value, message } = refused[name] ?? {};
    return found ?? (value === values[name] ? message : undefined);
  };
}

/** The kinds that have a field; a tick is a checkbox of the consent, and a source is given by the link. */
type FieldKind = Exclude<Kind, "tick" | "source">;

/** What a field of each kind takes besides its name and hint. */
interface Extras {
  text: TypingAids;
  email: TypingAids;
  phone: { autoComplete: string };
  /** `past` is said of a day before today. */
  date: { past?: string };
  /** `most` is the maximum in cents; `echo` is shown below the field. */
  money: { most?: number; mostReason?: string; echo?: ReactNode };
  choice: object;
}

interface Part extends FieldProps {
  name: SavedAnswer;
  value: string;
  readOnly: boolean;
  onType: (value: string) => void;
  onBlur: (value?: string) => void;
}

const fields: { [K in FieldKind]: ComponentType<Part & Extras[K]> } = {
  text: memo(({ name, ...field }) => <TextField {...field} />),
  email: memo(({ name, ...field }) => (
    <TextField type="email" inputMode="email" autoCapitalize="none" spellCheck={false} {...field} />
  )),
  phone: memo(PhoneAnswer),
  date: memo(DateAnswer),
  money: memo(MoneyAnswer),
  choice: memo(({ name, ...field }) => <ChoiceField {...field} options={optionsOf(name)} />),
};

function DateAnswer({ name, ...field }: Part & Extras["date"]) {
  return <DateField {...field} locale={useBrand().locale} />;
}

/** What of a phone number was refused while it was typed: an error until the number is edited, which Next finds as well. */
function useRefusedDigit(name: SavedAnswer) {
  const { registerField, unregisterField, validateForm, values } = useFormikContext<StepValues>();
  const [message, setMessage] = useState<string>();
  // In a ref as well, because the edit that clears it is validated before it is rendered.
  const latest = useRef(message);
  useEffect(() => {
    registerField(name, { validate: () => latest.current });
    return () => unregisterField(name);
  }, [name, registerField, unregisterField]);
  function refuse(next: string | undefined): void {
    latest.current = next;
    setMessage(next);
  }
  function accept(digits: string): void {
    if (!latest.current) return;
    refuse(undefined);
    // A validation that began before this edit may still find the message.
    void validateForm({ ...values, [name]: digits });
  }
  return { message, refuse, accept };
}

function PhoneAnswer({ name, question, ...field }: Part & Extras["phone"] & { question?: string }) {
  const { saved, draftOver, keep } = useForm();
  const refused = useRefusedDigit(name);
  // Beside the digits, because countries share dial codes.
  const [picked, setPicked] = useState(() => draftOver(saved).countries[name] ?? defaultCountry);
  function pick(code: string): void {
    setPicked(code);
    keep({}, { [name]: code });
  }
  const hint = field.readOnly ? (
    <>
      From your invitation. It can't be changed here.
      {/* In the page from the start: a live region that arrives together with its words is not read out. */}
      <span role="status">{question && <CallUs question={question} />}</span>
    </>
  ) : (
    field.hint
  );
  return (
    <PhoneField
      {...field}
      hint={hint}
      error={refused.message ?? field.error}
      picked={picked}
      onPick={pick}
      onType={(digits) => {
        field.onType(digits);
        refused.accept(digits);
      }}
      onRefuse={(message, digits) => {
        refused.refuse(message);
        // With the refused digit: after a reload, the number must not look like a whole one.
        keep({ [name]: digits });
      }}
    />
  );
}

function MoneyAnswer({ name, ...field }: Part & Extras["money"]) {
  return <MoneyField {...field} symbol={useMoney().symbol} onUnreadable={field.onBlur} />;
}

interface AnswerProps extends Pick<FieldProps, "hint" | "required"> {
  name: SavedAnswer;
  /** How a change of the invitation's value is marked. */
  highlight?: HighlightStyle;
}

type KindOf<N extends AnswerName> = { [K in FieldKind]: N extends NamesWith<{ kind: K }> ? K : never }[FieldKind];

/** How a change is marked where the step does not say. The agreement is sent to the email address, so it gets the full mark. */
const highlights: Partial<Record<Kind, HighlightStyle>> = { text: "subtle", email: "default" };

/** The field of an answer, by its kind. */
export function AnswerField<N extends SavedAnswer>(props: AnswerProps & { name: N } & Extras[KindOf<N>]) {
  return <Answer {...props} />;
}

function Answer({ name, highlight, required = true, ...rest }: AnswerProps) {
  const { application, source } = useForm();
  const { values, change, leave } = useStepValues();
  const errorOf = useErrors();
  const { exact } = useMoney();
  const { kind, share } = answers[name];
  const { invited } = application;
  const value = values[name];
  const from = changedFrom(invited, name, value);
  const changed: Change | undefined =
    from === undefined
      ? undefined
      : { from: kind === "money" ? exact(centsOf(from)) : from, style: highlight ?? highlights[kind] };

  const type = useCallback(
    (text: string) =>
      change((values) => {
        const changes: StepValues = { [name]: text };
        // An answer that takes part in the sum computes the loan amount anew (docs/decisions/one-amount.md).
        if (share) changes.loanAmount = loanAmountFor({ ...values, ...changes });
        return changes;
      }),
    [change, name, share],
  );
  const blur = useCallback(
    (last?: string) => leave(name, last === undefined ? undefined : { [name]: last }),
    [leave, name],
  );

  const warning = warningsOf(invited, values).find((one) => one.name === name);

  // What a field of this kind takes besides is in `rest`: AnswerField asks for it.
  const Field = fields[kind as FieldKind] as ComponentType<Part>;
  return (
    <Field
      {...rest}
      {...(warning && { question: warning.question })}
      id={name}
      name={name}
      label={labelOf(name, source)}
      required={required}
      value={value}
      error={errorOf(name)}
      changed={changed}
      readOnly={lockedAnswers(invited).some((locked) => locked === name)}
      onType={type}
      onBlur={blur}
    />
  );
}
