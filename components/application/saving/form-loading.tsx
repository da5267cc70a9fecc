import { LongWait, SpinnerGlyph } from "@/components/ui/spinner";

/** Not WindowTitle, whose script may still be loading. */
export function FormLoading({ product }: { product: string }) {
  return (
    <>
      <title>{`Your application – ${product}`}</title>
      <h1 className="sr-only">Your application</h1>
      <div className="min-h-dvh py-24">
        <p role="status" className="flex items-center justify-center gap-3 text-ink-soft">
          <SpinnerGlyph className="size-6 text-brand" />
          Loading form data...
        </p>
        <LongWait />
      </div>
    </>
  );
}
