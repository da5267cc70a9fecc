import type { ComponentType } from "react";

let form: ComponentType | null = null;

/** The form as its own file, which no other screen runs; the landing fetches it ahead. */
export async function loadApplicationForm(): Promise<ComponentType> {
  form ??= (await import("./application-form")).default;
  return form;
}

/** The form where it has been loaded already. */
export const loadedApplicationForm = () => form;
