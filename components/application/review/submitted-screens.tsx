"use client";

import { usePathname, useSelectedLayoutSegment } from "next/navigation";
import type { ReactNode } from "react";
import { useSession } from "@/components/session/session-context";
import { useOnDemand } from "@/components/ui/use-on-demand";
import { isSubmitted, receiptPath, successPath } from "@/lib/domain/journey";

/** The review loads it ahead. */
export const loadSubmittedScreen = () => import("./submitted-screen");

/**
 * Wraps the page that Next has loaded. In the document of any page, it shows the thank-you page and the receipt once their
 * address is opened (lib/client/open-page.ts), so that nothing has to be fetched between a submission and its confirmation.
 */
export function SubmittedScreens({ children }: { children: ReactNode }) {
  const { session } = useSession();
  const path = usePathname();
  const isOwnPage = path === `/${useSelectedLayoutSegment()}`;
  const isSent = session.state === "authenticated" && isSubmitted(session.application);
  const loaded = useOnDemand(loadSubmittedScreen, isSent);
  if (!isSent || !loaded || isOwnPage || ![successPath, receiptPath].includes(path)) return children;
  return <loaded.SubmittedScreen path={path} />;
}
