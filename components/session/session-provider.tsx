"use client";

import { usePathname, useRouter } from "next/navigation";
import { type ReactNode, useEffect, useLayoutEffect, useMemo, useState } from "react";
import { verifyToken } from "@/lib/client/api";
import { dropToken, forgetDraft, keepSession, pageSource, pageToken } from "@/lib/client/browser-storage";
import { rememberPage } from "@/lib/client/page-before";
import { isSubmitted, openPaths, unauthorizedPath } from "@/lib/domain/journey";
import { type Session, SessionContext, type SessionValue } from "./session-context";

/** No answer, or one that says nothing about the token (429, 5xx): keep the token and offer a retry. */
function isPassing(status: number | null): boolean {
  return status === null || status === 429 || status >= 500;
}

/** The session (specification, section 4): loading, then authenticated, unauthorized or failed. */
export function SessionProvider({ initial, children }: { initial: Session; children: ReactNode }) {
  const [session, setSession] = useState(initial);
  const router = useRouter();
  const watched = !openPaths.includes(usePathname());

  // Once on /un-authorized, whatever is stored is verified anew when the person goes on to another page.
  if (!watched && session.state === "unauthorized") setSession({ state: "loading" });

  // A layout effect runs before the first paint: the early verification may have finished by now.
  useLayoutEffect(() => {
    if (!watched || session.state !== "loading") return;
    let abandoned = false;
    const settle = async () => {
      if (!pageToken()) return setSession({ state: "unauthorized" });
      const answer = await verifyToken();
      if (abandoned) return;
      if (answer.success) {
        const application = answer.data;
        const source = pageSource() || application.source;
        keepSession(application.reference, source);
        setSession({ state: "authenticated", application, source });
      } else if (isPassing(answer.status)) {
        setSession({ state: "failed", failure: answer });
      } else {
        setSession({ state: "unauthorized" });
      }
    };
    void settle();
    return () => {
      abandoned = true;
    };
  }, [watched, session.state]);

  useEffect(() => {
    if (!watched || session.state !== "unauthorized") return;
    dropToken();
    router.replace(unauthorizedPath);
  }, [watched, session.state, router]);

  useEffect(() => {
    if (!watched) return;
    window.addEventListener("pagehide", rememberPage);
    return () => window.removeEventListener("pagehide", rememberPage);
  }, [watched]);

  const submitted = session.state === "authenticated" && isSubmitted(session.application);
  const reference = submitted ? session.application.reference : null;
  // Submitted on another device, perhaps: what was typed on this one is obsolete.
  useEffect(() => {
    if (reference) forgetDraft(reference);
  }, [reference]);

  useEffect(() => {
    // Set where nothing is stored: taps have waited for these scripts (opening-script.ts).
    document.onclick = null;
    window.opened?.tapped?.click();
    // The link may have been revoked while the page was in the back-forward cache.
    const shown = (event: PageTransitionEvent) => event.persisted && setSession({ state: "loading" });
    window.addEventListener("pageshow", shown);
    return () => window.removeEventListener("pageshow", shown);
  }, []);

  const value = useMemo<SessionValue>(
    () => ({
      session,
      update: (changes) =>
        setSession((before) =>
          before.state === "authenticated" ? { ...before, application: { ...before.application, ...changes } } : before,
        ),
      verify: () => setSession({ state: "loading" }),
      reject: () => setSession({ state: "unauthorized" }),
    }),
    [session],
  );
  return <SessionContext value={value}>{children}</SessionContext>;
}
