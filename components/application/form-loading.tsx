import { StepProgress } from "@/components/ui/step-progress";

export function FormLoading() {
  return <StepProgress busy busyLabel="Loading form data..." />;
}
