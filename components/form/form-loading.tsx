import { StepProgress } from "@/components/ui/step-progress";

export function FormLoading() {
  return (
    <>
      <h1 className="sr-only">Your application</h1>
      <StepProgress busy busyLabel="Loading form data..." />
    </>
  );
}
