import { StandaloneReview } from "@/components/steps/standalone-review";
import { consentInForce } from "@/lib/server/evidence/consent-in-force";

export default function ReviewAndSubmitPage() {
  return (
    <div className="column pt-3 pb-6 sm:py-10">
      <StandaloneReview consent={consentInForce()} />
    </div>
  );
}
