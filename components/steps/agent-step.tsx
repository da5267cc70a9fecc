import { EmailAnswerField, PhoneAnswerField, TextAnswerField } from "@/components/form/answer-fields";

/** autoComplete is off: these are somebody else's details, and autofill would offer the landlord's own. */
export function AgentStep() {
  return (
    <>
      <TextAnswerField
        name="agencyName"
        hint="The agency that manages your property."
        autoComplete="off"
        autoCapitalize="words"
      />
      <TextAnswerField name="managerFirstName" autoComplete="off" autoCapitalize="words" />
      <TextAnswerField name="managerLastName" autoComplete="off" autoCapitalize="words" />
      <PhoneAnswerField name="contactNumber" autoComplete="off" />
      <EmailAnswerField name="managerEmail" autoComplete="off" />
    </>
  );
}
