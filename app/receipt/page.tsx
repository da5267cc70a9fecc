import { ReceiptScreen } from "@/components/review/receipt-screen";

export default ReceiptScreen;
