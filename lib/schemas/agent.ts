import * as z from "zod/mini";
import { email, phone, text } from "./kinds";

/** Step 2 (specification, section 5). */
export const agentSchema = z.object({
  agencyName: text("Agency name", { required: "Agency name is required" }),
  managerFirstName: text("Property manager first name", { required: "Property manager first name is required" }),
  managerLastName: text("Property manager last name", { required: "Property manager last name is required" }),
  contactNumber: phone("Please enter a valid contact number", {
    required: "Contact number is required",
    service:
      "Please enter a valid contact number: your agent's mobile, or the office with its area code. We cannot use 13, 1300 and 1800 numbers",
  }),
  managerEmail: email("Manager email is required"),
});
