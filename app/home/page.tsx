import { Suspense } from "react";
import { FormLoading } from "@/components/application/saving/form-loading";
import ApplicationForm from "@/components/application/steps/application-form";
import { consentInForce } from "@/lib/server/evidence/consent-in-force";
import { currentSettings } from "@/lib/server/settings";

export default function HomePage() {
  return (
    <div className="column pt-3 pb-6 sm:py-10">
      <Suspense fallback={<FormLoading product={currentSettings().brand.product} />}>
        <ApplicationForm consent={consentInForce()} />
      </Suspense>
    </div>
  );
}
