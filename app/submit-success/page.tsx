import type { Metadata } from "next";
import { SuccessScreen } from "@/components/outcome/success-screen";

export const metadata: Metadata = { title: "Application received" };

export default function SubmitSuccessPage() {
  return <SuccessScreen />;
}
