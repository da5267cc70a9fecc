import { SuccessScreen } from "@/components/outcome/status-screens";
import { receiptPath } from "@/lib/domain/journey";
import { ReceiptScreen } from "./receipt-screen";

/** The thank-you page or the receipt, in a document that was opened for another page. */
export function SubmittedScreen({ path }: { path: string }) {
  return path === receiptPath ? <ReceiptScreen /> : <SuccessScreen />;
}
