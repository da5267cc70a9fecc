import type { Metadata } from "next";
import { ReceiptScreen } from "@/components/review/receipt-screen";

export const metadata: Metadata = { title: "Your answers and agreement" };

export default function ReceiptPage() {
  return <ReceiptScreen />;
}
