import * as z from "zod/mini";
import { kinds } from "./kinds";

/** Step 1 (specification, section 5). */
export const landlordSchema = z.object({
  firstName: kinds.text("First name", { required: "First name is required" }),
  lastName: kinds.text("Last name", { required: "Last name is required" }),
  mobile: z._default(kinds.phone("Please enter a valid mobile number"), ""),
  email: kinds.email("Email is required"),
  propertyAddress: kinds.text("Rental property address", {
    required: "Rental property address is required",
    longest: 300,
  }),
  source: z._default(kinds.source(), ""),
});
