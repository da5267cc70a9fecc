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
        autoComplete="off"
        autoCapitalize="words"
      />
    </>
  );
}
