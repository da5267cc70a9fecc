import { FieldFrame, type FieldProps } from "./field-frame";
import { boxedInput, InputBox } from "./input-box";

interface ChoiceFieldProps extends FieldProps {
  /** The name of the chosen option, or empty. */
  value: string;
  /** The text shown for each option name, in display order. */
  options: Readonly<Record<string, string>>;
  readOnly?: boolean;
  onChange: (chosen: string) => void;
  onBlur?: () => void;
}

/** A native select, so the browser handles the keyboard, screen readers and the phone's picker. */
export function ChoiceField({ value, options, readOnly, onChange, onBlur, ...frame }: ChoiceFieldProps) {
  return (
    <FieldFrame {...frame}>
      {(controlProps) => (
        <InputBox error={frame.error} changed={frame.changed} readOnly={readOnly}>
          <select
            {...controlProps}
            name={frame.id}
            value={value}
            disabled={readOnly}
            onChange={(event) => onChange(event.target.value)}
            onBlur={() => onBlur?.()}
            className={`${boxedInput} basis-0`}
          >
            <option value="">Choose one</option>
            {Object.entries(options).map(([name, text]) => (
              <option key={name} value={name}>
                {text}
              </option>
            ))}
          </select>
        </InputBox>
      )}
    </FieldFrame>
  );
}
