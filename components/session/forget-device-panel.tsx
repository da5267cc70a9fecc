import { useEffect, useState } from "react";
import { buttonStyle } from "@/components/ui/button-style";
import { isKept } from "@/lib/client/browser-storage";
import { forgetDevice, holdsDrafts } from "@/lib/client/forget-device";
import { unauthorizedPath } from "@/lib/domain/journey";

function forget() {
  forgetDevice();
  // A new document, so that nothing stays in this one's memory either.
  window.location.replace(`${unauthorizedPath}#forgotten`);
}

/** Forgets at once where nothing that was typed would be lost, and asks first where it would. */
export function ForgetDevicePanel({ onKeep }: { onKeep: () => void }) {
  const [asks] = useState(() => holdsDrafts() || !isKept());
  useEffect(() => {
    if (!asks) forget();
  }, [asks]);
  return (
    asks && (
      <div role="alert" className="grid gap-3 rounded-lg border border-accent bg-accent-soft p-4">
        <p className="font-semibold">What you typed and did not save will be lost.</p>
        <p>Copy it first if you need it. What you saved stays with us, and your link opens it again.</p>
        <div className="flex flex-wrap gap-3">
          <button type="button" onClick={forget} className={buttonStyle("primary")}>
            Forget it all
          </button>
          <button type="button" onClick={onKeep} className={buttonStyle("secondary")}>
            Keep it
          </button>
        </div>
      </div>
    )
  );
}
