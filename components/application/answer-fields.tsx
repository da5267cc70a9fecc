import { useBrand } from "@/components/site/brand-context";
import type { Change, HighlightStyle } from "@/components/ui/changed-mark";
import { DateField } from "@/components/ui/date-field";
import type { FieldProps } from "@/components/ui/field-frame";
import { PhoneField } from "@/components/ui/phone-field";
import { TextField, type TypingAids } from "@/components/ui/text-field";
import { type Answers, useAnswers } from "./answers-context";
import { changedFrom } from "./changed-from";
import type { AnswerName, FormValues } from "./form-values";
import { labels } from "./labels";

/** Answers that are text; consents are ticks. */
type TextAnswer = { [N in AnswerName]: FormValues[N] extends string ? N : never }[AnswerName];

interface AnswerFieldProps extends Pick<FieldProps, "hint" | "required"> {
  name: TextAnswer & keyof typeof labels;
  /** How a change of the invitation's value is marked. */
  highlight?: HighlightStyle;
}

function changeOf({ values, invited }: Answers, name: TextAnswer, style?: HighlightStyle): Change | undefined {
  const from = changedFrom(invited, name, values[name]);
  return from === undefined ? undefined : { from, style };
}

/** What every kind of field needs from the form. */
function useField({ name, highlight, ...words }: AnswerFieldProps) {
  const answers = useAnswers();
  return {
    ...words,
    id: name,
    label: labels[name],
    value: answers.values[name],
    error: answers.errorOf(name),
    changed: changeOf(answers, name, highlight),
    readOnly: answers.isLocked(name),
    onType: (text: string) => answers.type(name, text),
    onBlur: () => answers.leave(name),
  };
}

export function TextAnswerField({
  name,
  hint,
  required = true,
  highlight = "subtle",
  ...aids
}: AnswerFieldProps & TypingAids) {
  const field = useField({ name, hint, required, highlight });
  return <TextField enterKeyHint="next" {...aids} {...field} />;
}

/** An address is where the agreement will go: a change of it is marked in full. */
export function EmailAnswerField(props: AnswerFieldProps & TypingAids) {
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

export function DateAnswerField({ name, hint }: AnswerFieldProps) {
  const { locale } = useBrand();
  const { answer } = useAnswers();
  const field = useField({ name, hint, required: true });
  return <DateField {...field} locale={locale} onType={(date) => answer({ [name]: date })} />;
}

interface PhoneAnswerFieldProps extends AnswerFieldProps {
  name: "mobile" | "contactNumber";
  autoComplete: string;
}

export function PhoneAnswerField({ autoComplete, ...props }: PhoneAnswerFieldProps) {
  const { name } = props;
  const { answer, countryOf, pickCountry } = useAnswers();
  const field = useField({ required: true, ...props });
  const lockedHint = "From your invitation. It cannot be changed here.";
  return (
    <PhoneField
      {...field}
      hint={field.readOnly ? lockedHint : field.hint}
      autoComplete={autoComplete}
      picked={countryOf(name)}
      // At once, so that number and country never part.
      onType={(digits) => answer({ [name]: digits })}
      onPick={(code) => pickCountry(name, code)}
    />
  );
}
