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

/** Some apps copy a text with characters of no width. An email address with one would be invalid although it looks right. */
const widthless = /[\u200B\u2060\uFEFF]/g;

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
          onChange={(event) => onChange(event.target.value.replace(widthless, ""))}
          onBlur={() => onBlur?.()}
          className={`${boxedInput} basis-0`}
        />
      )}
    </FieldFrame>
  );
}
