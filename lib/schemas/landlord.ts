import { isSource } from "@/lib/domain/source";
import { phone } from "./phone";
import { line } from "./text";
import { email, object, pipe, refine, string, withDefault } from "./zod";

export const emailAddress = (required: string) =>
  pipe(line("Email", { required, longest: 254 }), email("Invalid email"));

const unreadableSource = "Source is not one we know how to read";

/** Step 1 (specification, section 5). */
export const landlordSchema = object({
  firstName: line("First name", { required: "First name is required" }),
  lastName: line("Last name", { required: "Last name is required" }),
  mobile: withDefault(phone("Please enter a valid mobile number"), ""),
  email: emailAddress("Email is required"),
  propertyAddress: line("Rental property address", { required: "Rental property address is required", longest: 300 }),
  source: withDefault(
    string(
      unreadableSource,
      refine((source) => source === "" || isSource(source), unreadableSource),
    ),
    "",
  ),
});
