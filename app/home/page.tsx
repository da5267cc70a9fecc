import type { Metadata } from "next";
import { Suspense } from "react";
import { FormLoading } from "@/components/form/form-loading";
import ApplicationForm from "@/components/steps/application-form";

export const metadata: Metadata = { title: "Your application" };

export default function HomePage() {
  return (
    <div className="column py-6 sm:py-10">
      <Suspense fallback={<FormLoading />}>
        <ApplicationForm />
      </Suspense>
    </div>
  );
}
