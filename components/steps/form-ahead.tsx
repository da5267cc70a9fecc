"use client";

import { usePathname } from "next/navigation";
import { useEffect } from "react";
import { useSession } from "@/components/session/session-context";
import { isLanding } from "@/components/site/not-on-landing";
import { isSubmitted } from "@/lib/domain/journey";

/**
 * Runs the form's scripts while the landing is read, so that its start leads to the form at once. In the layout, because
 * only from there the bundler hands out the very files of /home; from the landing they would be a second copy.
 */
export function FormAhead() {
  const { session } = useSession();
  const path = usePathname();
  const leadsToForm = isLanding(path) && session.state === "authenticated" && !isSubmitted(session.application);
  useEffect(() => {
    // What cannot be fetched now is fetched when it is needed.
    if (leadsToForm) import("./application-form").catch(() => {});
  }, [leadsToForm]);
  return null;
}
