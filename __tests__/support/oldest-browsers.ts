/** The oldest browsers that the product serves (docs/decisions/old-browsers.md), by the names of MDN's compatibility data. */
export const oldestBrowsers = { safari_ios: "15.4", chrome: "99", firefox: "100" };
