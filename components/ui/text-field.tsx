import type { InputHTMLAttributes } from "react";
import { boxedInput, FieldFrame, type FieldProps } from "./field-frame";

/** Attributes that control the device's keyboard, autofill and spelling check. */
export type InputHints = Pick<
  InputHTMLAttributes<HTMLInputElement>,
  "type" | "inputMode" | "autoComplete" | "autoCapitalize" | "spellCheck"
>;

interface TextFieldProps extends FieldProps, InputHints {
  value: string;
  onChange: (text: string) => void;
  onBlur?: () => void;
}

export function TextField({
  id,
  label,
  hint,
  error,
  required,
  changed,
  value,
  readOnly,
  onChange,
  onBlur,
  ...aids
}: TextFieldProps) {
  return (
    <FieldFrame {...{ id, label, hint, error, required, changed, readOnly }}>
      {(controlProps) => (
        <input
          type="text"
          {...aids}
          {...controlProps}
          name={id}
          value={value}
          readOnly={readOnly}
          onChange={(event) => onChange(event.target.value)}
          onBlur={() => onBlur?.()}
          className={`${boxedInput} basis-0`}
        />
      )}
    </FieldFrame>
  );
}
