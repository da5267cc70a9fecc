import { AnswerField, useStepValues } from "@/components/application/fields/answer-field";
import { useForm } from "@/components/application/saving/use-form";
import type { StepAnswers } from "@/lib/domain/application";

const words = (name: string) => ` ${name.normalize("NFC").trim().toLowerCase().replace(/\s+/g, " ")}`;

/** Whether the last name is written at the end of the first names as well. */
const repeatsLastName = ({ firstName, lastName }: StepAnswers[1]) =>
  lastName.trim() !== "" && words(firstName).endsWith(words(lastName));

export function LandlordStep() {
  const { source } = useForm();
  const { values } = useStepValues<StepAnswers[1]>();
  return (
    <>
      {/* The source of the link is saved with this step (specification, section 3). */}
      <input type="hidden" name="source" value={source} />
      <AnswerField
        name="firstName"
        hint="First and middle names only. Your last name comes next."
        echo={repeatsLastName(values) && "This ends with your last name. Leave it out here, because it comes next."}
        autoComplete="given-name"
        autoCapitalize="words"
      />
      <AnswerField name="lastName" autoComplete="family-name" autoCapitalize="words" />
      <AnswerField name="mobile" autoComplete="tel" />
      <AnswerField name="email" hint="We'll send your agreement here." autoComplete="email" />
      {/* A suggestion fills in every field of its section. Chromium ignores "off", and would fill in the landlord's home. */}
      <AnswerField
        name="propertyAddress"
        hint="The property you rent out, not where you live."
        autoComplete="section-rental street-address"
        autoCapitalize="words"
        enterKeyHint="go"
      />
    </>
  );
}

/** Each field is a section of its own, so that a suggestion of the landlord's details fills in no other field. */
export function AgentStep() {
  return (
    <>
      <AnswerField
        name="agencyName"
        hint="The agency that collects your rent."
        autoComplete="section-agency organization"
        autoCapitalize="words"
      />
      <AnswerField name="managerFirstName" autoComplete="section-agent-first given-name" autoCapitalize="words" />
      <AnswerField name="managerLastName" autoComplete="section-agent-last family-name" autoCapitalize="words" />
      <AnswerField
        name="contactNumber"
        hint="Your agent's mobile or direct line. We can't use 13, 1300 or 1800 numbers."
        autoComplete="section-agent-phone tel"
      />
      <AnswerField name="managerEmail" autoComplete="section-agent-email email" enterKeyHint="go" />
    </>
  );
}
