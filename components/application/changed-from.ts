import type { InvitedAnswers } from "@/lib/domain/application";
import { centsOf } from "@/lib/domain/money";

/** What the invitation said, where the answer says something else; undefined where it said nothing or the same. */
export function changedFrom(invited: InvitedAnswers, name: string, answer: string): string | undefined {
  const said = name in invited ? invited[name as keyof InvitedAnswers] : "";
  return said !== "" && said !== answer.trim() ? said : undefined;
}

/** The same for the invoice, which may be written in more than one way. In cents. */
export function invoiceChangedFrom(invited: InvitedAnswers, invoiceAmount: string): number | undefined {
  const quoted = centsOf(invited.invoiceAmount);
  return quoted > 0 && quoted !== centsOf(invoiceAmount) ? quoted : undefined;
}
