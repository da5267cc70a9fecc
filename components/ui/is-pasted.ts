import type { ChangeEvent } from "react";
import { addedText } from "@/lib/domain/added-text";

/** Whether text came in otherwise than by a key: pasted, dropped or filled in by the browser, even if it is one character. */
export function isPasted(before: string, { target, nativeEvent }: ChangeEvent<HTMLInputElement>): boolean {
  const { inputType = "" } = nativeEvent as InputEvent;
  return addedText(before, target.value).length > 1 || /^insert(From|Replacement)/.test(inputType);
}
