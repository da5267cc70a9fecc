import { ReceiptScreen } from "@/components/review/receipt-screen";

export default function ReceiptPage() {
  return <ReceiptScreen />;
}
