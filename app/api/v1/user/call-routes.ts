import type { Routes } from "@/lib/server/http/before-next";

/** The calls that are answered before Next, each loaded with its first request (docs/decisions/calls-before-next.md). */
export const callRoutes: Routes = new Map([
  ["/api/v1/user/verify-token", () => import("./verify-token/route")],
  ["/api/v1/user/submit-step-1", () => import("./submit-step-1/route")],
  ["/api/v1/user/submit-step-2", () => import("./submit-step-2/route")],
  ["/api/v1/user/submit-step-3", () => import("./submit-step-3/route")],
  ["/api/v1/user/submit-final", () => import("./submit-final/route")],
  ["/api/v1/user/submit", () => import("./submit/route")],
]);
