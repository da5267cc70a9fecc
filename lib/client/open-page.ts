/**
 * Opens another screen in this document, which has its code already. Nothing is fetched, so neither a server that is away nor a
 * new build can put another page in its place, and the page keeps its token (docs/decisions/a-page-keeps-its-token.md).
 */
export function openPage(path: string, method: "pushState" | "replaceState" = "pushState"): void {
  window.history[method](null, "", path);
  window.scrollTo(0, 0);
}
