"use client";

import { createContext, useContext } from "react";
import type { Failure } from "@/lib/client/api";
import type { ApplicationView } from "@/lib/domain/application";

/** The session's states (specification, section 4). `failed`: verification got no usable answer and can be retried. */
export type Session =
  | { state: "loading" }
  | { state: "failed"; failure: Failure }
  | { state: "unauthorized" }
  | { state: "authenticated"; application: ApplicationView; source: string };

export interface SessionValue {
  session: Session;
  /** Merges what the server has acknowledged, such as saved answers or a submission. */
  update(changes: Partial<ApplicationView>): void;
  verify(): void;
  /** After a 401: removes the token and goes to /un-authorized. */
  reject(): void;
}

export const SessionContext = createContext<SessionValue | null>(null);

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
