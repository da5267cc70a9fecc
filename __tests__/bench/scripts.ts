import { get } from "node:http";
import type { Browser, Page, Response } from "@playwright/test";
import { fillAll } from "@/__tests__/support/fill-in";
import { bounded, type Row } from "./table";

interface Weights {
  /** Bytes, compressed as sent. */
  empty: number;
  landing: number;
  home: number;
}

export const heaviest = { landing: 1.08, home: 1.3 };

/** Bytes of a file as it is sent, compressed. */
function bytesOf(url: string): Promise<number> {
  return new Promise((resolve, reject) => {
    get(url, { headers: { "accept-encoding": "gzip" } }, (answer) => {
      let bytes = 0;
      answer.on("data", (chunk: Buffer) => {
        bytes += chunk.length;
      });
      answer.on("end", () => (answer.statusCode === 200 ? resolve(bytes) : reject(new Error(`${url} is missing`))));
    }).on("error", reject);
  });
}

async function total(urls: Iterable<string>): Promise<number> {
  const sizes = await Promise.all([...urls].map(bytesOf));
  return sizes.reduce((sum, size) => sum + size, 0);
}

/** Collects the URLs of scripts that the page requests from now on. */
function askedFor(page: Page): Set<string> {
  const urls = new Set<string>();
  page.on("request", (request) => request.resourceType() === "script" && urls.add(request.url()));
  return urls;
}

/** The scripts in the HTML, without the nomodule one, which current browsers skip. */
async function named(answer: Response | null): Promise<Set<string>> {
  const html = (await answer?.text()) ?? "";
  return new Set(
    [...html.matchAll(/<script(?![^>]*nomodule)[^>]* src="([^"]+)"/gi)].map(
      ([, src = ""]) => new URL(src, answer?.url()).href,
    ),
  );
}

/**
 * Compressed bytes of scripts: of an empty page, of the landing opened from a link, and of /home through all four steps.
 * What the landing only prefetches counts for /home, not for the landing.
 */
export async function weigh(browser: Browser, link: string, emptyUrl: string): Promise<Weights> {
  const context = await browser.newContext();
  try {
    const page = await context.newPage();
    const empty = await total(await named(await page.goto(emptyUrl)));

    const forLanding = askedFor(page);
    const ofLanding = await named(await page.goto(link));
    await page.waitForLoadState("networkidle");
    const other = await context.newPage();
    const forHome = askedFor(other);
    await other.goto(new URL("/home", link).href);
    await fillAll(other);
    await other.waitForLoadState("networkidle");
    for (const url of forLanding) if (!forHome.has(url)) ofLanding.add(url);
    return { empty, landing: await total(ofLanding), home: await total(forHome) };
  } finally {
    await context.close();
  }
}

function row(what: string, ours: number, empty: number, most: number): Row {
  const kilobytes = (bytes: number) => (bytes / 1000).toFixed(1);
  return {
    ...bounded({ what, floor: "empty Next page", most, unit: "×", ours: [ours / empty] }),
    measured: `${(ours / empty).toFixed(3)} × (${kilobytes(ours)} to ${kilobytes(empty)} kB)`,
  };
}

export function weightRows({ empty, landing, home }: Weights): Row[] {
  return [
    row("scripts on the landing, compressed", landing, empty, heaviest.landing),
    row("scripts on /home, walked through all four steps", home, empty, heaviest.home),
  ];
}
