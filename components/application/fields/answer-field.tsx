import { useField, useFormikContext } from "formik";
import { type ComponentType, memo, type ReactNode, useCallback, useContext, useRef, useState } from "react";
import type { StepValues } from "@/components/application/saving/form-state";
import { useForm } from "@/components/application/saving/use-form";
import { LendersDay, useBrand } from "@/components/site/brand-context";
import { CallUs, PhoneOrEmail } from "@/components/site/support-contacts";
import { useMoney } from "@/components/site/use-money";
import type { Change, HighlightStyle } from "@/components/ui/changed-mark";
import { ChoiceField } from "@/components/ui/choice-field";
import { DateField } from "@/components/ui/date-field";
import type { FieldProps } from "@/components/ui/field-frame";
import { MoneyField } from "@/components/ui/money-field";
import { PhoneField } from "@/components/ui/phone-field";
import { type InputHints, TextField } from "@/components/ui/text-field";
import { afterPress } from "@/lib/client/press";
import { loanAmountFor, sumAnswers } from "@/lib/domain/advance";
import {
  type AnswerKind,
  type AnswerName,
  answers,
  labelOf,
  lockedAnswers,
  optionsOf,
  type SavedAnswer,
  type StepAnswers,
} from "@/lib/domain/application";
import { centsOf, isSameAmount } from "@/lib/domain/money";
import { countryOf, defaultCountry } from "@/lib/domain/phone";
import { changedFrom, isSameAnswer, warningOf } from "@/lib/domain/shown-answers";
import type { Messages } from "@/lib/schemas/check";

/**
 * The values and errors of this step's fields, and the handlers that change them. A component of one step names the type of its
 * answers. Any other finds the answers of whichever step is on the screen.
 */
export function useStepValues<V extends StepValues = StepValues>() {
  const { writeToDraft } = useForm();
  const { values, errors, touched, setFormikState, setFieldTouched, setStatus, validateForm } =
    useFormikContext<StepValues>();
  // While typing, validate only if an error is shown, so that it disappears as soon as it is corrected.
  const showsError = (Object.keys(errors) as SavedAnswer[]).some((name) => touched[name]);
  // Formik's setValues starts from the rendered values, so the second of two changes in one task would undo the first.
  const update = useCallback(
    (changesOf: (values: V) => StepValues) => {
      let updated: StepValues = {};
      setFormikState((state) => {
        const changes = changesOf(state.values as V);
        writeToDraft(changes);
        updated = { ...state.values, ...changes };
        return { ...state, values: updated };
      });
      return updated;
    },
    [writeToDraft, setFormikState],
  );
  // The handlers keep their identity while the applicant types, so that only fields whose value changes are rendered.
  const change = useCallback(
    (changesOf: (values: V) => StepValues) => {
      const updated = update(changesOf);
      if (showsError) void validateForm(updated);
    },
    [update, validateForm, showsError],
  );
  /** Handles blur. The field becomes touched after validation, so that an error already corrected does not flash up. */
  const leave = useCallback(
    async (name: SavedAnswer, changes?: StepValues) => {
      if (changes) update(() => changes);
      await afterPress();
      setStatus(await validateForm());
      void setFieldTouched(name, true, false);
    },
    [update, setFieldTouched, setStatus, validateForm],
  );
  const errorOf = (name: AnswerName) => {
    const field = name as SavedAnswer;
    return touched[field] ? errors[field] : undefined;
  };
  return { values: values as V, errorOf, change, leave };
}

/** The errors that fields showed when one was last left, or when Next was pressed. The summary follows these, not each keystroke. */
export function useLastErrors(): Messages {
  const { status, touched } = useFormikContext<StepValues>();
  const shown = Object.entries(status as Messages).filter(([name]) => touched[name as SavedAnswer]);
  return Object.fromEntries(shown);
}

/** The kinds that have a field. A checkbox belongs to the consent, and a source comes from the link. */
type FieldKind = Exclude<AnswerKind, "checkbox" | "source">;

interface AnswerProps extends Pick<FieldProps, "hint" | "required" | "enterKeyHint">, InputHints {
  name: SavedAnswer;
  /** The remark that a date shows for a day before today. */
  past?: string;
  /** The maximum of an amount, in cents, and the reason for it. */
  max?: number;
  maxReason?: string;
  /** Shown below an amount. */
  echo?: ReactNode;
}

interface KindFieldProps extends AnswerProps, FieldProps {
  value: string;
  onChange: (value: string) => void;
  onBlur: (value?: string) => void;
}

const fields: Record<FieldKind, ComponentType<KindFieldProps>> = {
  text: memo(TextField),
  email: memo((field) => <TextField type="email" inputMode="email" autoCapitalize="none" {...field} />),
  phone: memo(PhoneAnswer),
  date: memo(DateAnswer),
  money: memo(MoneyAnswer),
  choice: memo((field) => <ChoiceField {...field} options={optionsOf(field.name)} />),
};

function DateAnswer(field: KindFieldProps) {
  return <DateField {...field} locale={useBrand().locale} lendersDay={useContext(LendersDay)} />;
}

/** Holds the error of a digit refused while typing, until the number is edited or confirmed. Formik validates it like any other error. */
function useRefusedDigit({ name, label }: Pick<KindFieldProps, "name" | "label">) {
  const { validateForm, values } = useFormikContext<StepValues>();
  const [refusal, setRefusal] = useState<{ message: string; digits: string }>();
  // Also kept in a ref, because the edit that clears the refusal is validated before it is rendered.
  const latest = useRef(refusal);
  // The summary is far from the field, so it names the field.
  const validate = useCallback(() => latest.current && `${label}: ${latest.current.message}`, [label]);
  useField({ name, validate });
  function refuse(next: typeof refusal): void {
    latest.current = next;
    setRefusal(next);
  }
  function accept(digits: string): void {
    if (!latest.current) return;
    refuse(undefined);
    // A validation that began before this edit may still report the message, so validate again.
    void validateForm({ ...values, [name]: digits });
  }
  return { refusal, refuse, accept };
}

/** Explains that the number comes from the invitation. `question` replaces the general request to call, if it applies. */
function LockedHint({ question }: { question?: string }) {
  const { mobile } = useForm().saved;
  return (
    <>
      {question && <p>From your invitation. It can't be changed here.</p>}
      {!question && (
        <p>
          From your invitation. If it's wrong, call us on <PhoneOrEmail mobile={mobile} className="link" />.
        </p>
      )}
      <span role="status">{question && <CallUs question={question} mobile={mobile} />}</span>
    </>
  );
}

function PhoneAnswer({ name, ...field }: KindFieldProps) {
  const { application, saved, draftOver, writeToDraft } = useForm();
  const { values } = useFormikContext<StepValues>();
  const question = warningOf(name, application.invited, values)?.question;
  const { refusal, refuse, accept } = useRefusedDigit({ name, label: field.label });
  // Kept in addition to the digits, because countries share dial codes, and the last one or two digits left identify none.
  const [picked, setPicked] = useState(
    () => draftOver(saved).countries[name] ?? countryOf(saved[name])?.code ?? defaultCountry,
  );
  function pick(code: string): void {
    setPicked(code);
    writeToDraft({}, { [name]: code });
  }
  const hint = field.readOnly ? <LockedHint question={question} /> : field.hint;
  return (
    <PhoneField
      {...field}
      hint={hint}
      error={refusal?.message ?? field.error}
      refused={refusal?.digits}
      picked={picked}
      onPick={pick}
      onChange={(digits) => {
        field.onChange(digits);
        accept(digits);
      }}
      onBlur={(pasted) => {
        if (pasted !== undefined) accept(pasted);
        field.onBlur(pasted);
      }}
      onRefuse={(message, digits) => {
        // Only the first one is kept. The draft includes it too, so that the number does not look complete after a reload.
        refuse({ message, digits: refusal?.digits ?? digits });
        if (!refusal) writeToDraft({ [name]: digits });
      }}
      onConfirm={() => {
        accept(field.value);
        field.onBlur(field.value);
      }}
    />
  );
}

function MoneyAnswer(field: KindFieldProps) {
  return <MoneyField {...field} symbol={useMoney().symbol} onUnreadable={field.onBlur} />;
}

/**
 * How a change of the invitation's value is marked, by kind. The email address gets the full mark, because the agreement is
 * sent to it. An amount gets the most visible mark, because its change also changes the loan amount.
 */
const highlights: Partial<Record<AnswerKind, HighlightStyle>> = { text: "subtle", email: "default", money: "animated" };

/** Autofill is off unless a field names what it holds. */
export function AnswerField({ name, required = true, autoComplete = "off", ...rest }: AnswerProps) {
  const { application, source } = useForm();
  const { values, errorOf, change, leave } = useStepValues();
  const { exact } = useMoney();
  const { kind } = answers[name];
  const { invited } = application;
  const value = values[name] ?? "";
  const from = changedFrom(invited, name, value);
  const isInvited = value !== "" && isSameAnswer(name, value, (invited as StepValues)[name] ?? "");
  const changed: Change | undefined =
    from === undefined ? undefined : { from: kind === "money" ? exact(centsOf(from)) : from, style: highlights[kind] };

  const type = useCallback(
    (text: string) =>
      change((values) => {
        const changes: StepValues = { [name]: text };
        // A change of an amount that is part of the sum recalculates the loan amount (docs/decisions/one-amount.md).
        if (sumAnswers.some((part) => part === name) && !isSameAmount(text, values[name] ?? ""))
          changes.loanAmount = loanAmountFor({ ...values, ...changes } as StepAnswers[3]);
        return changes;
      }),
    [change, name],
  );
  const blur = useCallback(
    (last?: string) => leave(name, last === undefined ? undefined : { [name]: last }),
    [leave, name],
  );

  const Field = fields[kind as FieldKind];
  return (
    <Field
      {...rest}
      autoComplete={autoComplete}
      id={name}
      name={name}
      label={labelOf(name, source)}
      required={required}
      value={value}
      error={errorOf(name)}
      invited={isInvited}
      changed={changed}
      readOnly={lockedAnswers(invited).some((locked) => locked === name)}
      onChange={type}
      onBlur={blur}
    />
  );
}
