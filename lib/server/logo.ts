import "server-only";
import { readFileSync, statSync } from "node:fs";

const mostBytes = 64 * 1024;
const root =
  /^\uFEFF?\s*(?:<\?xml[^>]*>\s*)?(?:<!--(?:(?!-->)[\s\S])*-->\s*)*<svg\s[^>]*xmlns="http:\/\/www\.w3\.org\/2000\/svg"/;
/** What runs, or loads something from elsewhere. A browser ignores it in an image, but not where the file is opened alone. */
const active =
  /<script|<foreignObject|<!(?:DOCTYPE|ENTITY)|\son\w+\s*=|javascript:|@import|(?:href|src)\s*=\s*["'](?!#|data:image\/)|url\(\s*["']?(?!#|["']?data:image\/)/i;

/** Reads the SVG in BRAND_LOGO_FILE. Throws an error that says what is wrong with it. */
export function readLogo(path: string): string {
  if (!statSync(path, { throwIfNoEntry: false })?.isFile()) throw new Error("is not a readable file");
  const bytes = readFileSync(path);
  if (bytes.length > mostBytes) throw new Error("is larger than 64 kB");
  const svg = bytes.toString("utf8");
  if (!root.test(svg) || !/<\/svg>\s*$/.test(svg)) throw new Error('is no SVG with xmlns="http://www.w3.org/2000/svg"');
  if (active.test(svg)) throw new Error("contains scripts or loads external content");
  return svg;
}
