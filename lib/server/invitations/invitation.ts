import "server-only";
import * as z from "zod/mini";
import { centsOf, isAmount, writeCents } from "@/lib/domain/money";
import { isSource } from "@/lib/domain/source";
import { phone } from "@/lib/schemas/phone";
import { line } from "@/lib/schemas/text";

const text = (name: string, longest?: number) => z._default(line(name, { longest }), "");
const email = (name: string) =>
  z._default(
    line(
      name,
      { longest: 254 },
      z.refine((given) => given === "" || z.regexes.email.test(given), `${name} is not an email address`),
    ),
    "",
  );
const days = z
  .string()
  .check(
    z.refine(
      (given) => /^\d{1,3}$/.test(given) && Number(given) >= 1 && Number(given) <= 365,
      "expires-days must be a whole number from 1 to 365",
    ),
  );
const quote = z.string().check(
  z.trim(),
  z.refine(
    (given) => isAmount(given) && centsOf(given) <= 9_999_999_99,
    "quote must be an amount in dollars, such as 2450.00",
  ),
);

/** What the lender knows when it invites somebody, named as the flags of `npm run invite` and the columns of its CSV file. */
export const invitationSchema = z.strictObject({
  mobile: phone(
    "mobile must be a phone number: digits only, dial code first, such as 61412345678",
    "mobile is required",
  ),
  "agent-mobile": z._default(phone("agent-mobile must be a phone number: digits only, dial code first"), ""),
  "first-name": text("first-name"),
  "last-name": text("last-name"),
  email: email("email"),
  "property-address": text("property-address", 300),
  "agency-name": text("agency-name"),
  "agent-first-name": text("agent-first-name"),
  "agent-last-name": text("agent-last-name"),
  "agent-email": email("agent-email"),
  quote: z._default(z.array(quote), []),
  source: z._default(
    z
      .string()
      .check(
        z.refine((given) => given === "" || isSource(given), "source must be letters, digits, - or _ (40 at most)"),
      ),
    "",
  ),
  "expires-days": z._default(days, "30"),
});

export type Invitation = z.infer<typeof invitationSchema>;

/** The answers that an invitation fills in, by the names of the application. */
export function answersOf(invitation: Invitation) {
  return {
    firstName: invitation["first-name"],
    lastName: invitation["last-name"],
    mobile: invitation.mobile,
    email: invitation.email,
    propertyAddress: invitation["property-address"],
    agencyName: invitation["agency-name"],
    managerFirstName: invitation["agent-first-name"],
    managerLastName: invitation["agent-last-name"],
    contactNumber: invitation["agent-mobile"],
    managerEmail: invitation["agent-email"],
    // The repair cost is pre-filled with the highest quote (product.md).
    invoiceAmount: invitation.quote.length > 0 ? writeCents(Math.max(...invitation.quote.map(centsOf))) : null,
  };
}
