import { AnswerField } from "@/components/form/answer-field";
import { useForm } from "@/components/form/use-form";

export function LandlordStep() {
  const { source } = useForm();
  return (
    <>
      {/* The source of the link is saved with this step (specification, section 3). */}
      <input type="hidden" name="source" value={source} />
      <AnswerField name="firstName" hint="Your given names." autoComplete="given-name" autoCapitalize="words" />
      <AnswerField name="lastName" autoComplete="family-name" autoCapitalize="words" />
      <AnswerField name="mobile" autoComplete="tel" />
      <AnswerField name="email" hint="We'll send your agreement here." autoComplete="email" />
      <AnswerField
        name="propertyAddress"
        hint="The property you rent out, not where you live."
        autoCapitalize="words"
        enterKeyHint="go"
      />
    </>
  );
}

export function AgentStep() {
  return (
    <>
      <AnswerField name="agencyName" hint="The agency that collects your rent." autoCapitalize="words" />
      <AnswerField name="managerFirstName" autoCapitalize="words" />
      <AnswerField name="managerLastName" autoCapitalize="words" />
      <AnswerField
        name="contactNumber"
        hint="Your agent's mobile or direct line. We can't use 13, 1300 or 1800 numbers."
      />
      <AnswerField name="managerEmail" enterKeyHint="go" />
    </>
  );
}
