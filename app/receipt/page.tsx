import { ReceiptScreen } from "@/components/application/review/receipt-screen";

export default ReceiptScreen;
