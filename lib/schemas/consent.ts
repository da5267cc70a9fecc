import * as z from "zod/mini";

const tick = (name: string) => z.boolean(`${name} must be ticked or not`);

/** Step 4. A box that is not mentioned is not ticked: consent is given in words, never assumed by the server. */
export const consentSchema = z
  .object({
    authoriseAgent: z._default(tick("Authorise my agent"), false),
    provideSelf: z._default(tick("Provide myself"), false),
    confirmLoan: z._default(tick("Confirm the loan"), false),
  })
  .check(
    z.refine(({ confirmLoan }) => confirmLoan, {
      path: ["confirmLoan"],
      error: "Confirm that you want to apply for the loan",
    }),
    z.refine(({ authoriseAgent, provideSelf }) => authoriseAgent || provideSelf, {
      path: ["authoriseAgent"],
      error: "Authorise your agent, or say that you will provide the information yourself",
    }),
    z.refine(({ authoriseAgent, provideSelf }) => !(authoriseAgent && provideSelf), {
      path: ["provideSelf"],
      error: "Choose your agent or yourself to provide the information, not both",
    }),
  );
