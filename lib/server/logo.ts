import { readFileSync, statSync } from "node:fs";

const maxBytes = 64 * 1024;
const root =
  /^\uFEFF?\s*(?:<\?xml[^>]*>\s*)?(?:<!--(?:(?!-->)[\s\S])*-->\s*)*<svg\s[^>]*xmlns="http:\/\/www\.w3\.org\/2000\/svg"/;
/** Scripts and references to external content. Browsers ignore both in an <img>, but not if the file is opened directly. */
const active =
  /<script|<foreignObject|<!(?:DOCTYPE|ENTITY)|\son\w+\s*=|javascript:|@import|(?:href|src)\s*=\s*["'](?!#|data:image\/)|url\(\s*["']?(?!#|["']?data:image\/)/i;

/** Reads the SVG in BRAND_LOGO_FILE. Throws an error that says what is wrong with the file. */
export function readLogo(path: string): string {
  if (!statSync(path, { throwIfNoEntry: false })?.isFile()) throw new Error("is not a readable file");
  const bytes = readFileSync(path);
  if (bytes.length > maxBytes) throw new Error("is larger than 64 kB");
  const svg = bytes.toString("utf8");
  if (!root.test(svg) || !/<\/svg>\s*$/.test(svg))
    throw new Error('is not an SVG with xmlns="http://www.w3.org/2000/svg"');
  if (active.test(svg)) throw new Error("contains scripts or loads external content");
  return svg;
}
