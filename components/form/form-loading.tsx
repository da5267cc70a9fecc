import { LongWait, Spinner } from "@/components/ui/spinner";

export function FormLoading() {
  return (
    <>
      <h1 className="sr-only">Your application</h1>
      <div aria-busy="true" className="min-h-dvh py-24">
        <Spinner label="Loading form data..." />
        <LongWait />
      </div>
    </>
  );
}
