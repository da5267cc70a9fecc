/**
 * Whether the browser opened this address from the desk, or the person typed it. Another site, a sibling included, could otherwise
 * make somebody sign in or download, and the record would name them.
 */
export function isOpenedFromDesk({ headers }: Request): boolean {
  return ["same-origin", "none", null].includes(headers.get("sec-fetch-site"));
}
