import { ask } from "./api";

/** What this page was refused with. It is in the page's memory alone: after a reload nobody knows it. */
export function refusedToken(): string | null {
  return typeof window === "undefined" ? null : (window.refused ?? null);
}

/** Whether the token was ever ours, the answer does not tell. */
export function askForFreshLink(token: string) {
  return ask("/api/v1/user/fresh-link", { token }, "We could not ask for a fresh link");
}
