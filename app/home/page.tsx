import type { Metadata } from "next";
import { Suspense } from "react";
import ApplicationForm from "@/components/application/application-form";
import { FormLoading } from "@/components/application/form-loading";

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
