import { EmailAnswerField, PhoneAnswerField, TextAnswerField } from "@/components/form/answer-fields";
import { useAnswers } from "@/components/form/answers-context";

export function LandlordStep() {
  const { source } = useAnswers();
  return (
    <>
      {/* Where the link came from, saved with this step (specification, section 3). */}
      <input type="hidden" name="source" value={source} />
      <TextAnswerField name="firstName" hint="Your given names." autoComplete="given-name" autoCapitalize="words" />
      <TextAnswerField name="lastName" autoComplete="family-name" autoCapitalize="words" />
      <PhoneAnswerField name="mobile" autoComplete="tel" />
      <EmailAnswerField name="email" hint="We send your agreement here." autoComplete="email" />
      <TextAnswerField
        name="propertyAddress"
        hint="The property you rent out, not where you live."
        autoComplete="off"
        autoCapitalize="words"
      />
    </>
  );
}
