import { screen } from "@testing-library/react";
import { Form, newApplication, savedAnswers, visit } from "./applicant";

const untouched = { leaseStartDate: "", leaseEndDate: "", currentRent: "0", loanAmount: "0", savedSteps: [1, 2] };

/** Renders step 3 with a quote and nothing else filled in. */
export function visitStepThree(
  { quote = "2450", source = "ba", ...changes }: Record<string, unknown> = {},
  search = "",
) {
  const answers = { ...savedAnswers, ...untouched, invoiceAmount: quote || "0", ...changes };
  const application = newApplication(answers as Partial<typeof savedAnswers>, { invoiceAmount: String(quote) });
  return visit(<Form />, { application, source: String(source), search });
}

export const field = (name: string) => screen.getByLabelText(name) as HTMLInputElement;

export async function fill(user: ReturnType<typeof visit>["user"], name: string, amount: string): Promise<void> {
  await user.clear(field(name));
  await user.type(field(name), amount);
}

/** A button that fills in a usual amount. */
export const amountButton = (name: string | RegExp) => screen.getByRole("button", { name });
