import * as z from "zod/mini";
import { kinds } from "./kinds";

/** Step 4. A missing box counts as not ticked: the server never assumes consent (docs/decisions/consent-defaults.md). */
export const consentSchema = z
  .object({
    authoriseAgent: z._default(kinds.checkbox("Authorise my agent"), false),
    provideSelf: z._default(kinds.checkbox("Provide myself"), false),
    confirmLoan: z._default(kinds.checkbox("Confirm the loan"), false),
  })
  .check(
    z.refine(({ confirmLoan }) => confirmLoan, {
      path: ["confirmLoan"],
      error: "Confirm that you want to apply for the loan",
    }),
    z.refine(({ authoriseAgent, provideSelf }) => authoriseAgent || provideSelf, {
      path: ["authoriseAgent"],
      error: "Choose who will give us your documents: your agent or you",
    }),
    z.refine(({ authoriseAgent, provideSelf }) => !(authoriseAgent && provideSelf), {
      path: ["provideSelf"],
      error: "Choose only one: your agent or you",
    }),
  );

export const reviewedSchema = z.object({
  answers: z.string("must be a string"),
  consent: z.string("must be a string"),
});
