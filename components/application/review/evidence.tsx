import { useEffect, useState } from "react";
import { LocalTime } from "@/components/site/local-time";
import { Button } from "@/components/ui/button";
import { SummaryList } from "@/components/ui/summary-list";
import { type EvidenceReceipt, loadEvidence } from "@/lib/client/api";

/** The worker appends the entry within a second of the submission. Each pause is twice the one before: 46.5 seconds in all. */
const firstPauseMs = 1500;
const lastPauseMs = 24_000;

/** The submission's entry in the lender's evidence log, once it has one. The rest of the receipt does not depend on it. */
export function Evidence({ reference }: { reference: string }) {
  const [receipt, setReceipt] = useState<EvidenceReceipt | null>(null);
  /** Announced. Empty if the first response has the proof. */
  const [news, setNews] = useState("");

  useEffect(() => {
    let isMounted = true;
    let timer: ReturnType<typeof setTimeout>;
    const load = async (pauseMs: number) => {
      const result = await loadEvidence();
      if (!isMounted) return;
      if (result.success && result.data) {
        setReceipt(result.data);
        setNews((before) => before && "The proof of this receipt is ready.");
      } else if (pauseMs > lastPauseMs) {
        setNews("We can't show the proof of this receipt at the moment. To try again, reload this page.");
      } else {
        setNews("We're preparing the proof of this receipt. It will appear here.");
        timer = setTimeout(load, pauseMs, 2 * pauseMs);
      }
    };
    void load(firstPauseMs);
    return () => {
      isMounted = false;
      clearTimeout(timer);
    };
  }, []);

  return (
    <>
      <p role="status" className="text-ink-soft empty:absolute print:hidden">
        {news}
      </p>
      {receipt && <Proof receipt={receipt} reference={reference} />}
    </>
  );
}

function Proof({ receipt, reference }: { receipt: EvidenceReceipt; reference: string }) {
  const { leaf, first } = receipt;
  const { head } = first;
  const [isShown, setShown] = useState(false);
  return (
    <SummaryList
      title="Proof of this receipt"
      rows={[
        { label: "Log entry number", value: String(leaf.index) },
        { label: "Added to the log", value: <LocalTime instant={head.at} /> },
      ]}
    >
      <Button
        variant="secondary"
        aria-expanded={isShown}
        aria-controls="proof"
        className="mt-3 w-full sm:w-auto print:hidden"
        onClick={() => setShown(!isShown)}
      >
        Show the technical proof
      </Button>
      {/* The same text as in the confirmation email. On paper, it is the only copy of the whole signed head. */}
      <div id="proof" className={isShown ? "" : "hidden print:block"}>
        <p className="mt-3 text-ink-soft text-sm sm:text-base">Fingerprint and signature</p>
        <code className="wrap-anywhere block text-sm">{JSON.stringify({ leaf, head })}</code>
      </div>
      <p className="mt-4 text-ink-soft text-sm print:hidden">
        Anyone can use the file to check that what you agreed to hasn't changed.
      </p>
      <Button
        variant="secondary"
        className="mt-3 w-full sm:w-auto print:hidden"
        onClick={() => save(receipt, reference)}
      >
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
  // Some versions of Safari read the file only after the click.
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
