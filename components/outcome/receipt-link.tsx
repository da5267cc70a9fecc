import { buttonStyle } from "@/components/ui/button-style";

/** A plain link, not a change of screens: the receipt shows what the server has on record, read anew. */
export function ReceiptLink() {
  return (
    <a href="/receipt" className={buttonStyle("secondary", "w-full sm:w-auto")}>
      Print or save your receipt
    </a>
  );
}
