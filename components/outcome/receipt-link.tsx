import { buttonStyle } from "@/components/ui/button-style";

/** A plain link, so that the page reloads and the receipt shows what the server has stored, not the session's copy. */
export function ReceiptLink() {
  return (
    <a href="/receipt" className={buttonStyle("secondary", "w-full sm:w-auto")}>
      Print or save your receipt
    </a>
  );
}
