"use client";

import { createContext, useContext } from "react";
import type { Failure } from "@/lib/client/api";
import type { ApplicationView } from "@/lib/domain/application";

/** The session's states (specification, section 4). `failed` is loading that could not be finished: it offers another try. */
export type Session =
  | { state: "loading" }
  | { state: "failed"; failure: Failure }
  | { state: "unauthorized" }
  | { state: "authenticated"; application: ApplicationView; source: string };

export interface SessionValue {
  session: Session;
  /** Tells the session what the server acknowledged: saved answers, a submission. */
  update(changes: Partial<ApplicationView>): void;
  /** Verifies the stored token again. */
  verify(): void;
  /** Drops the token and leaves for /un-authorized: for a call that was answered 401. */
  reject(): void;
}

export const SessionContext = createContext<SessionValue | null>(null);

export function useSession(): SessionValue {
  const value = useContext(SessionContext);
  if (!value) throw new Error("useSession needs the session provider around it");
  return value;
}

/** The application of an authenticated session: for everything behind the gate. */
export function useApplication() {
  const { session, update, reject } = useSession();
  if (session.state !== "authenticated") throw new Error("useApplication belongs behind the gate");
  return { application: session.application, source: session.source, update, reject };
}
