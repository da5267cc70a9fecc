"use client";

import { usePathname } from "next/navigation";
import { useEffect } from "react";
import { useSession } from "@/components/session/session-context";
import { isLanding } from "@/components/site/not-on-landing";
import { isSubmitted } from "@/lib/domain/journey";

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
    if (leadsToForm) import("./application-form").catch(() => {});
  }, [leadsToForm]);
  return null;
}
