import { boolean, object, refine, withDefault } from "./zod";

const tick = (name: string) => boolean(`${name} must be ticked or not`);

/** Step 4. A missing box counts as not ticked: the server never assumes consent (docs/decisions/consent-defaults.md). */
export const consentSchema = object(
  {
    authoriseAgent: withDefault(tick("Authorise my agent"), false),
    provideSelf: withDefault(tick("Provide myself"), false),
    confirmLoan: withDefault(tick("Confirm the loan"), false),
  },
  refine(({ confirmLoan }) => confirmLoan, {
    path: ["confirmLoan"],
    error: "Confirm that you want to apply for the loan",
  }),
  refine(({ authoriseAgent, provideSelf }) => authoriseAgent || provideSelf, {
    path: ["authoriseAgent"],
    error: "Authorise your agent, or say that you will provide the information yourself",
  }),
  refine(({ authoriseAgent, provideSelf }) => !(authoriseAgent && provideSelf), {
    path: ["provideSelf"],
    error: "Choose your agent or yourself to provide the information, not both",
  }),
);
