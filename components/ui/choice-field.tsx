import { boxedInput, FieldFrame, type FieldProps } from "./field-frame";

interface ChoiceFieldProps extends FieldProps {
  /** The name of the chosen option, or empty. */
  value: string;
  /** The text shown for each option name, in display order. */
  options: Readonly<Record<string, string>>;
  onChange: (chosen: string) => void;
  onBlur?: () => void;
}

/** A native select, so the browser handles the keyboard, screen readers and the phone's picker. */
export function ChoiceField({ value, options, onChange, onBlur, ...frame }: ChoiceFieldProps) {
  return (
    <FieldFrame {...frame}>
      {(controlProps) => (
        <select
          {...controlProps}
          value={value}
          disabled={frame.readOnly}
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
      )}
    </FieldFrame>
  );
}
