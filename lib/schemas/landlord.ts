import * as z from "zod/mini";
import { email, phone, source, text } from "./kinds";

/** Step 1 (specification, section 5). */
export const landlordSchema = z.object({
  firstName: text("First name", { required: "First name is required" }),
  lastName: text("Last name", { required: "Last name is required" }),
  mobile: z._default(phone("Please enter a valid mobile number"), ""),
  email: email("Email is required"),
  propertyAddress: text("Rental property address", { required: "Rental property address is required", longest: 300 }),
  source: z._default(source(), ""),
});
