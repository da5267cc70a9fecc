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
  onType: (text: string) => void;
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
  onType,
  onBlur,
  ...aids
}: TextFieldProps) {
  return (
    <FieldFrame {...{ id, label, hint, error, required, changed }}>
      {(wiring) => (
        <InputBox {...{ error, changed, readOnly }}>
          <input
            type="text"
            {...aids}
            {...wiring}
            name={id}
            value={value}
            readOnly={readOnly}
            onChange={(event) => onType(event.target.value)}
            onBlur={() => onBlur?.()}
            className={`${boxedInput} basis-0`}
          />
        </InputBox>
      )}
    </FieldFrame>
  );
}
