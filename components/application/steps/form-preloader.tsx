"use client";

import { usePathname } from "next/navigation";
import { Activity, type ComponentType, lazy, Suspense } from "react";
import { useSession } from "@/components/session/session-context";
import { isLanding, isSubmitted } from "@/lib/domain/journey";
import type { ShownConsent } from "@/lib/domain/reviewed";

/**
 * Before React inserts a script of a page, it looks for it by `script[async]`. The bundler's script elements lack that
 * attribute, so each script would be inserted and compiled again while the form is being shown.
 */
function markScriptsAsync() {
  for (const script of document.scripts) script.async = true;
}

const Form = lazy<ComponentType<{ consent: ShownConsent }>>(async () => {
  try {
    const form = await import("./application-form");
    markScriptsAsync();
    return form;
  } catch {
    // A chunk that cannot be loaded now is loaded when /home is opened.
    return { default: () => null };
  }
});

/** The hidden form shows nobody a consent text. */
const noConsent: ShownConsent = {
  version: "",
  paragraphs: [],
  boxes: { authoriseAgent: "", provideSelf: "", confirmLoan: "" },
  hash: "",
};

/**
 * Renders the form hidden while the landing is on screen, so that a tap on the start button finds its code loaded and compiled.
 * Rendered by the layout, because only there does the bundler reuse the chunks of /home instead of making a second copy
 * (docs/decisions/preloading.md).
 */
export function FormPreloader() {
  const { session } = useSession();
  const path = usePathname();
  const leadsToForm = isLanding(path) && session.state === "authenticated" && !isSubmitted(session.application);
  if (!leadsToForm) return null;
  return (
    <Activity mode="hidden">
      <Suspense>
        <Form consent={noConsent} />
      </Suspense>
    </Activity>
  );
}
