import { ConsentProvider } from "@/components/site/consent-context";
import { StandaloneReview } from "@/components/steps/standalone-review";
import { consentInForce } from "@/lib/server/evidence/consent-in-force";

export default function ReviewAndSubmitPage() {
  return (
    <div className="page pt-3 pb-6 sm:py-10">
      <div className="mx-auto max-w-form">
        <ConsentProvider value={consentInForce()}>
          <StandaloneReview />
        </ConsentProvider>
      </div>
    </div>
  );
}
