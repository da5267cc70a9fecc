import * as z from "zod/mini";
import { isSource } from "@/lib/domain/source";
import { phone } from "./phone";
import { line } from "./text";

/** A pipe, and zod's own email: `z.regexes` would bring every pattern of zod into the page. */
export const emailAddress = (required: string) =>
  z.pipe(line("Email", { required, longest: 254 }), z.email("Invalid email"));

const unreadableSource = "Source is not one we know how to read";

/** Step 1 (specification, section 5). */
export const landlordSchema = z.object({
  firstName: line("First name", { required: "First name is required" }),
  lastName: line("Last name", { required: "Last name is required" }),
  mobile: z._default(phone("Please enter a valid mobile number"), ""),
  email: emailAddress("Email is required"),
  propertyAddress: line("Rental property address", { required: "Rental property address is required", longest: 300 }),
  source: z._default(
    z.string(unreadableSource).check(z.refine((source) => source === "" || isSource(source), unreadableSource)),
    "",
  ),
});
