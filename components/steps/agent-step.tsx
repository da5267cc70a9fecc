import { AnswerField } from "@/components/form/answer-field";

/** autoComplete is off: these are somebody else's details, and autofill would offer the landlord's own. */
export function AgentStep() {
  return (
    <>
      <AnswerField
        name="agencyName"
        hint="The agency that collects your rent."
        autoComplete="off"
        autoCapitalize="words"
      />
      <AnswerField name="managerFirstName" autoComplete="off" autoCapitalize="words" />
      <AnswerField name="managerLastName" autoComplete="off" autoCapitalize="words" />
      <AnswerField name="contactNumber" autoComplete="off" />
      <AnswerField name="managerEmail" autoComplete="off" />
    </>
  );
}
