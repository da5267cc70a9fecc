import { Spinner } from "@/components/ui/spinner";

export function FormLoading() {
  return (
    <div className="py-24">
      <Spinner label="Loading form data..." />
    </div>
  );
}
