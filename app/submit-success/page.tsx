import { SuccessScreen } from "@/components/outcome/success-screen";

export default function SubmitSuccessPage() {
  return <SuccessScreen />;
}
