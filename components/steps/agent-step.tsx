import { AnswerField } from "@/components/form/answer-field";

/** autoComplete is off, because autofill would offer the landlord's own details instead of the agent's. */
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
      <AnswerField
        name="contactNumber"
        hint="Your agent's mobile or direct line. We can't use 13, 1300 or 1800 numbers."
        autoComplete="off"
      />
      <AnswerField name="managerEmail" autoComplete="off" />
    </>
  );
}
