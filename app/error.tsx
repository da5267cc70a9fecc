"use client";

import { useBrand } from "@/components/site/brand-context";
import { SupportContacts } from "@/components/site/support-contacts";
import { Button } from "@/components/ui/button";

interface ErrorScreenProps {
  error: Error & { digest?: string };
  reset: () => void;
}

export default function ErrorScreen({ error, reset }: ErrorScreenProps) {
  const brand = useBrand();
  return (
    <div className="column py-12 sm:py-20">
      <title>Something went wrong</title>
      <h1 className="font-bold text-3xl sm:text-4xl">Sorry, something went wrong on our side</h1>
      <p className="mt-3 mb-8 sm:text-lg">What you have saved is safe. Please try again.</p>
      <Button onClick={reset}>Try again</Button>
      <section aria-labelledby="help" className="mt-10 border-line border-t pt-6">
        <h2 id="help" className="font-semibold text-lg">
          If it happens again
        </h2>
        <p className="mt-1 mb-2 text-ink-soft">Please tell us.</p>
        <SupportContacts brand={brand} />
        {error.digest && <p className="mt-4 text-ink-soft text-xs">For our support: {error.digest}</p>}
      </section>
    </div>
  );
}
