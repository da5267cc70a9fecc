import { useEffect, useState } from "react";
import { useBrand } from "@/components/site/brand-context";
import { Button } from "@/components/ui/button";
import { LocalTime } from "@/components/ui/local-time";
import { SummaryList } from "@/components/ui/summary-list";
import { type EvidenceReceipt, loadEvidence } from "@/lib/client/api";

/** The submission's entry in the lender's evidence log, once it has one. The rest of the receipt does not depend on it. */
export function Evidence({ reference }: { reference: string }) {
  const [receipt, setReceipt] = useState<EvidenceReceipt | null>(null);
  const { locale, timeZone } = useBrand();
  useEffect(() => {
    let isMounted = true;
    loadEvidence().then((answer) => {
      if (isMounted && answer.success) setReceipt(answer.data);
    });
    return () => {
      isMounted = false;
    };
  }, []);
  if (!receipt) return null;
  const { leaf, first } = receipt;
  const { head } = first;
  const row = (label: string, value: React.ReactNode) => ({ label, value, otherwise: "" });
  return (
    <SummaryList
      title="Proof of this receipt"
      rows={[
        row("Number in the log", String(leaf.index)),
        row("Fingerprint of your agreement", leaf.hash),
        row("Fingerprint of the log", head.root),
        row("Time of the log", <LocalTime key="at" instant={head.at} locale={locale} timeZone={timeZone} />),
        ...(head.signature ? [row("Signature", head.signature)] : []),
      ]}
    >
      <p className="mt-4 text-ink-soft text-sm">
        With these, anyone can check later that nothing you agreed to has changed. The file has everything they need.
      </p>
      <Button kind="secondary" className="mt-3 w-full sm:w-auto print:hidden" onClick={() => save(receipt, reference)}>
        Download the proof as a file
      </Button>
    </SummaryList>
  );
}

function save(receipt: EvidenceReceipt, reference: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([`${JSON.stringify(receipt, null, 2)}\n`], { type: "application/json" }));
  link.download = `receipt-${reference}.json`;
  link.click();
  URL.revokeObjectURL(link.href);
}
