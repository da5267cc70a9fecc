import type { Metadata } from "next";
import { StandaloneReview } from "@/components/steps/standalone-review";

export const metadata: Metadata = { title: "Check and send your application" };

export default function ReviewAndSubmitPage() {
  return (
    <div className="page py-6 sm:py-10">
      <div className="mx-auto max-w-form">
        <StandaloneReview />
      </div>
    </div>
  );
}
