"use client";

import { usePathname } from "next/navigation";
import { useEffect, useSyncExternalStore } from "react";
import { Icon } from "@/components/ui/icon";
import { isDeclineRemembered, rememberDecline } from "@/lib/client/browser-storage";
import { isLanding, openPaths, stopPath } from "@/lib/domain/journey";
import { useSession } from "./session-context";

const noSubscription = () => () => {};

/**
 * Hidden on the landing, which says the same in its own words, on the opt-out page, and from a landlord who was declined, also on
 * a 401 page. It keeps its space until the status is known.
 */
export function BenefitsBar({ maximum }: { maximum: string }) {
  const { session } = useSession();
  const path = usePathname();
  const wasDeclined = useSyncExternalStore(noSubscription, isDeclineRemembered, () => false);
  const isAuthenticated = session.state === "authenticated";
  const isDeclined = isAuthenticated ? session.application.status === "declined" : wasDeclined;
  useEffect(() => {
    if (isAuthenticated) rememberDecline(isDeclined);
  }, [isAuthenticated, isDeclined]);
  if (isLanding(path) || path === stopPath || isDeclined) return null;
  const isKnown = session.state !== "loading" || openPaths.includes(path);
  const benefits = [`Fast access to up to ${maximum}`, "No impact on credit score", "Interest is tax deductible"];
  return (
    <section aria-label="Benefits" className={`on-dark print:hidden ${isKnown ? "" : "invisible"}`}>
      <ul className="page grid grid-cols-[repeat(auto-fit,minmax(min(5.5rem,100%),1fr))] gap-x-2 gap-y-1 py-1.5 text-xs sm:py-2.5 leading-snug sm:flex sm:flex-wrap sm:justify-between sm:text-sm">
        {benefits.map((benefit) => (
          <li key={benefit} className="flex items-start gap-1.5 sm:items-center sm:gap-2">
            <Icon
              path="m3 8.5 3.5 3.5L13 4.5"
              size={16}
              width={2.5}
              className="mt-0.5 hidden size-3.5 shrink-0 text-accent min-[22.5rem]:block sm:mt-0 sm:size-4"
            />
            {benefit}
          </li>
        ))}
      </ul>
    </section>
  );
}
