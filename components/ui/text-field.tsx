import type { InputHTMLAttributes } from "react";
import { FieldFrame, type FieldProps } from "./field-frame";
import { boxedInput, InputBox } from "./input-box";

/** Attributes that control the device's keyboard, autofill and spelling check. */
export type InputHints = Pick<
  InputHTMLAttributes<HTMLInputElement>,
  "type" | "inputMode" | "autoComplete" | "autoCapitalize" | "spellCheck"
>;

interface TextFieldProps extends FieldProps, InputHints {
  value: string;
  readOnly?: boolean;
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
    <FieldFrame {...{ id, label, hint, error, required, changed }}>
      {(controlProps) => (
        <InputBox {...{ error, changed, readOnly }}>
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
        </InputBox>
      )}
    </FieldFrame>
  );
}
