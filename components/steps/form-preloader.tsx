"use client";

import { usePathname } from "next/navigation";
import { useEffect } from "react";
import { useSession } from "@/components/session/session-context";
import { isLanding, isSubmitted } from "@/lib/domain/journey";

/**
 * Before React inserts a script of a page, it looks for it by `script[async]`. The bundler's script elements lack that
 * attribute, so each script would be inserted and compiled again while the form is being shown.
 */
function markScriptsAsync() {
  for (const script of document.scripts) script.async = true;
}

/**
 * Loads and runs the form's scripts while the landing is on screen. Rendered by the layout, because only there does the
 * bundler reuse the chunks of /home instead of making a second copy (docs/decisions/preloading.md).
 */
export function FormPreloader() {
  const { session } = useSession();
  const path = usePathname();
  const leadsToForm = isLanding(path) && session.state === "authenticated" && !isSubmitted(session.application);
  useEffect(() => {
    // A chunk that cannot be loaded now is loaded when /home is opened.
    if (leadsToForm) import("./application-form").then(markScriptsAsync, () => {});
  }, [leadsToForm]);
  return null;
}
