"use client";

import { usePathname } from "next/navigation";
import { useEffect } from "react";
import { useSession } from "@/components/session/session-context";
import { isLanding } from "@/components/site/not-on-landing";
import { isSubmitted } from "@/lib/domain/journey";

/**
 * React looks for a page's script by `script[async]` before it inserts one. The bundler's have no such attribute, and each
 * would be inserted and compiled again while the form is being shown.
 */
function keepScripts() {
  for (const script of document.scripts) script.async = true;
}

/**
 * Loads and runs the form's scripts while the landing is on screen. Rendered by the layout, because only there does the
 * bundler reuse the chunks of /home instead of making a second copy (docs/decisions/loading-ahead.md).
 */
export function FormAhead() {
  const { session } = useSession();
  const path = usePathname();
  const leadsToForm = isLanding(path) && session.state === "authenticated" && !isSubmitted(session.application);
  useEffect(() => {
    // What cannot be fetched now is fetched again when /home is opened.
    if (leadsToForm) import("./application-form").then(keepScripts, () => {});
  }, [leadsToForm]);
  return null;
}
