import type { Metadata } from "next";
import { LazyApplicationForm } from "@/components/application/lazy-application-form";

export const metadata: Metadata = { title: "Your application" };

export default function HomePage() {
  return (
    <div className="page py-6 sm:py-10">
      <div className="mx-auto max-w-form">
        <LazyApplicationForm />
      </div>
    </div>
  );
}
