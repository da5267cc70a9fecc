"use client";

import { usePathname, useRouter } from "next/navigation";
import { createContext, type ReactNode, useContext, useEffect, useLayoutEffect, useMemo, useState } from "react";
import { type CallResult, type Failure, reportOpening, verifyToken } from "@/lib/client/api";
import {
  dropToken,
  forgetDraft,
  isTokenStored,
  pageSource,
  pageToken,
  storeSession,
} from "@/lib/client/browser-storage";
import { forgetPage, isDeviceForgotten } from "@/lib/client/device";
import { activation, onceVisible, onWindow } from "@/lib/client/window-events";
import type { ApplicationView } from "@/lib/domain/application";
import { isSubmitted, openPaths, storesSession, unauthorizedPath } from "@/lib/domain/journey";

/** The session's states (specification, section 4). `failed`: verification got no usable response and can be retried. */
export type Session =
  | { state: "loading" }
  | { state: "failed"; failure: Failure }
  | { state: "unauthorized" }
  | { state: "authenticated"; application: ApplicationView; source: string };

interface SessionValue {
  session: Session;
  /** Merges what the server has acknowledged, such as saved answers or a submission. */
  update(changes: Partial<ApplicationView>): void;
  verify(): void;
  /** Verifies the token again while the screen stays. Returns why that failed, if the token was not refused. */
  refresh(): Promise<Failure | undefined>;
  /** After a 401: removes the token and goes to /un-authorized. */
  reject(): void;
}

function sessionAfter(result: CallResult<ApplicationView>): Session {
  if (result.success) {
    const application = result.data;
    return { state: "authenticated", application, source: pageSource() || application.source };
  }
  // The specification (section 7) allows a 200 without success. Any other status may come from a proxy or a firewall and says
  // nothing about the token, which is kept for a retry.
  if (result.status === 401 || result.status === 200) return { state: "unauthorized" };
  return { state: "failed", failure: result };
}

const SessionContext = createContext<SessionValue | null>(null);

interface SessionProviderProps {
  initial: Session;
  /** The server has verified a link that no call has used yet. */
  reportsOpening?: boolean;
  children: ReactNode;
}

export function SessionProvider({ initial, reportsOpening = false, children }: SessionProviderProps) {
  const [session, setSession] = useState(initial);
  const router = useRouter();
  const path = usePathname();
  const needsSession = !openPaths.includes(path);

  // On /un-authorized the session is reset, so that the next page verifies the stored token again.
  if (!needsSession && session.state === "unauthorized") setSession({ state: "loading" });

  // A layout effect runs before the first paint, when the early verification may already have finished.
  useLayoutEffect(() => {
    if (!needsSession || session.state !== "loading") return;
    let abandoned = false;
    const settle = async () => {
      if (document.prerendering) await activation();
      if (!pageToken()) return setSession({ state: "unauthorized" });
      const after = sessionAfter(await verifyToken());
      if (abandoned) return;
      if (after.state === "authenticated" && storesSession(window.location.pathname))
        storeSession(after.application.reference, after.source);
      setSession(after);
    };
    void settle();
    return () => {
      abandoned = true;
    };
  }, [needsSession, session.state]);

  // A link that was opened on a 404 or the 401 page is stored once the application is opened from there.
  useLayoutEffect(() => {
    if (session.state === "authenticated" && storesSession(path) && !isTokenStored())
      storeSession(session.application.reference, session.source);
  }, [session, path]);

  useEffect(() => {
    if (reportsOpening) return onceVisible(() => void reportOpening());
  }, [reportsOpening]);

  useEffect(() => {
    if (!needsSession || session.state !== "unauthorized") return;
    dropToken();
    router.replace(unauthorizedPath);
  }, [needsSession, session.state, router]);

  useEffect(() => {
    if (needsSession) return onWindow(["storage"], (event) => isDeviceForgotten(event) && forgetPage());
  }, [needsSession]);

  const submitted = session.state === "authenticated" && isSubmitted(session.application);
  const reference = submitted ? session.application.reference : null;
  // The application may have been submitted on another device. A draft on this one is then obsolete.
  useEffect(() => {
    if (reference) forgetDraft(reference);
  }, [reference]);

  useEffect(() => {
    // If the device stores nothing, the inline script has held taps until this effect runs (opening-script.ts).
    document.onclick = null;
    window.opened?.tapped?.click();
    // The link may have been revoked while the page was in the back-forward cache.
    return onWindow(
      ["pageshow"],
      (event) => (event as PageTransitionEvent).persisted && setSession({ state: "loading" }),
    );
  }, []);

  const value = useMemo<SessionValue>(
    () => ({
      session,
      update: (changes) =>
        setSession((before) =>
          before.state === "authenticated" ? { ...before, application: { ...before.application, ...changes } } : before,
        ),
      verify: () => setSession({ state: "loading" }),
      async refresh() {
        const after = sessionAfter(await verifyToken());
        if (after.state === "failed") return after.failure;
        setSession(after);
      },
      reject: () => setSession({ state: "unauthorized" }),
    }),
    [session],
  );
  return <SessionContext value={value}>{children}</SessionContext>;
}

export function useSession(): SessionValue {
  const value = useContext(SessionContext);
  if (!value) throw new Error("useSession must be used within SessionProvider");
  return value;
}

/** The application of the session. Only for components inside Gate, which ensures that there is one. */
export function useApplication() {
  const { session, update, reject } = useSession();
  if (session.state !== "authenticated") throw new Error("useApplication must be used within Gate");
  return { application: session.application, source: session.source, update, reject };
}

/** Returns the submitted application. Before submission, it returns null and redirects to the form. */
export function useOnlySubmitted() {
  const { application } = useApplication();
  const router = useRouter();
  const isSent = isSubmitted(application);
  useEffect(() => {
    if (!isSent) router.replace("/home");
  }, [isSent, router]);
  return isSent ? application : null;
}
