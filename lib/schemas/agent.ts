import * as z from "zod/mini";
import { kinds } from "./kinds";

/** Step 2 (specification, section 5). */
export const agentSchema = z.object({
  agencyName: kinds.text("Agency name", { required: "Agency name is required" }),
  managerFirstName: kinds.text("Property manager first name", { required: "Property manager first name is required" }),
  managerLastName: kinds.text("Property manager last name", { required: "Property manager last name is required" }),
  contactNumber: kinds.phone("Please enter a valid contact number", { required: "Contact number is required" }),
  managerEmail: kinds.email("Manager email is required"),
});
