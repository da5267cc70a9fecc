"use client";

import { usePathname, useRouter } from "next/navigation";
import { type ReactNode, useCallback, useEffect, useLayoutEffect, useMemo, useReducer } from "react";
import { type Failure, verifyToken } from "@/lib/client/api";
import { dropToken, keepSession, pageSource, pageToken } from "@/lib/client/browser-storage";
import { forgetDraft } from "@/lib/client/forget-drafts";
import type { ApplicationView } from "@/lib/domain/application";
import { isSubmitted, openPaths, unauthorizedPath } from "@/lib/domain/journey";
import { type Session, SessionContext, type SessionValue } from "./session-context";

type Action =
  | { type: "load" }
  | { type: "verified"; application: ApplicationView; source: string }
  | { type: "refused" }
  | { type: "failed"; failure: Failure }
  | { type: "changed"; changes: Partial<ApplicationView> };

/** The session's reducer (specification, section 4): loading, then authenticated, unauthorized or failed. */
function next(session: Session, action: Action): Session {
  switch (action.type) {
    case "load":
      return { state: "loading" };
    case "verified":
      return { state: "authenticated", application: action.application, source: action.source };
    case "refused":
      return { state: "unauthorized" };
    case "failed":
      return { state: "failed", failure: action.failure };
    case "changed":
      if (session.state !== "authenticated") return session;
      return { ...session, application: { ...session.application, ...action.changes } };
  }
}

/** No answer, or one that says nothing about the token (429, 5xx): keep the token and offer a retry. */
function isPassing(status: number | null): boolean {
  return status === null || status === 429 || status >= 500;
}

export function SessionProvider({ initial, children }: { initial: Session; children: ReactNode }) {
  const [session, dispatch] = useReducer(next, initial);
  const router = useRouter();
  const watched = !openPaths.includes(usePathname());

  // A layout effect runs before the first paint: the early verification may have finished by now (early-verification.ts).
  useLayoutEffect(() => {
    if (!watched || session.state !== "loading") return;
    let abandoned = false;
    const settle = async () => {
      if (!pageToken()) return dispatch({ type: "refused" });
      const answer = await verifyToken();
      if (abandoned) return;
      if (answer.success) {
        const application = answer.data;
        const source = pageSource() || application.source;
        keepSession(application.reference, source);
        dispatch({ type: "verified", application, source });
      } else if (isPassing(answer.status)) {
        dispatch({ type: "failed", failure: answer });
      } else {
        dispatch({ type: "refused" });
      }
    };
    void settle();
    return () => {
      abandoned = true;
    };
  }, [watched, session.state]);

  useEffect(() => {
    if (session.state !== "unauthorized") return;
    // Once there, whatever is stored is verified anew when the person goes on to another page.
    if (!watched) return dispatch({ type: "load" });
    dropToken();
    router.replace(unauthorizedPath);
  }, [watched, session.state, router]);

  const submitted = session.state === "authenticated" && isSubmitted(session.application);
  const reference = submitted ? session.application.reference : null;
  // Submitted on another device, perhaps: what was typed on this one has had its day.
  useEffect(() => {
    if (reference) forgetDraft(reference);
  }, [reference]);

  const verify = useCallback(() => dispatch({ type: "load" }), []);

  useEffect(() => {
    // Set where nothing is stored: taps have waited for these scripts (opening-script.ts).
    document.onclick = null;
    window.opened?.tapped?.click();
    // The link may have been revoked while the page was in the back-forward cache.
    const shown = (event: PageTransitionEvent) => event.persisted && verify();
    window.addEventListener("pageshow", shown);
    return () => window.removeEventListener("pageshow", shown);
  }, [verify]);

  const value = useMemo<SessionValue>(
    () => ({
      session,
      update: (changes) => dispatch({ type: "changed", changes }),
      verify,
      reject: () => dispatch({ type: "refused" }),
    }),
    [session, verify],
  );
  return <SessionContext value={value}>{children}</SessionContext>;
}
