import type { InputHTMLAttributes, ReactNode } from "react";
import { boxedInput, FieldFrame, type FieldProps } from "./field-frame";
import { useTextInput } from "./use-text-input";

/** Attributes that control the device's keyboard and autofill. */
export type InputHints = Pick<
  InputHTMLAttributes<HTMLInputElement>,
  "type" | "inputMode" | "autoComplete" | "autoCapitalize"
>;

interface TextFieldProps extends FieldProps, InputHints {
  value: string;
  echo?: ReactNode;
  onChange: (text: string) => void;
  onBlur?: () => void;
}

/**
 * Some apps copy a text with characters of no width, such as direction marks, or with tabs from a table. Nobody could see why
 * it is refused.
 */
const widthless = /[\u00AD\u200B\u200E\u200F\u202A-\u202E\u2060\u2066-\u2069\uFEFF]/g;
const gaps = /[\t\v\f\u2028\u2029]/g;

/**
 * For names, addresses and numbers. A phone would correct them to other words, and a browser's spelling service would receive
 * them.
 */
export function TextField({
  type = "text",
  inputMode,
  autoComplete,
  autoCapitalize,
  value,
  onChange,
  onBlur,
  ...frame
}: TextFieldProps) {
  const input = useTextInput(
    value,
    (entered, entry) => {
      const line = entered.replace(widthless, "").replace(gaps, " ");
      onChange(line);
      return entry === "composing" ? entered : line;
    },
    frame.invited,
  );
  return (
    <FieldFrame {...frame}>
      {(controlProps) => (
        <input
          {...controlProps}
          {...{ type, inputMode, autoComplete, autoCapitalize }}
          autoCorrect="off"
          spellCheck={false}
          {...input}
          readOnly={frame.readOnly}
          onBlur={() => onBlur?.()}
          className={`${boxedInput} basis-0`}
        />
      )}
    </FieldFrame>
  );
}
