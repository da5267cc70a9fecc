import { SuccessScreen } from "@/components/outcome/status-screens";

export default function SubmitSuccessPage() {
  return <SuccessScreen />;
}
