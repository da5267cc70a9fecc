import { emailAddress } from "./landlord";
import { phone } from "./phone";
import { line } from "./text";
import { object } from "./zod";

/** Step 2 (specification, section 5). */
export const agentSchema = object({
  agencyName: line("Agency name", { required: "Agency name is required" }),
  managerFirstName: line("Property manager first name", { required: "Property manager first name is required" }),
  managerLastName: line("Property manager last name", { required: "Property manager last name is required" }),
  contactNumber: phone("Please enter a valid contact number", {
    required: "Contact number is required",
    service:
      "Please enter a valid contact number: your agent's mobile, or the office with its area code. We cannot use 13, 1300 and 1800 numbers",
  }),
  managerEmail: emailAddress("Manager email is required"),
});
