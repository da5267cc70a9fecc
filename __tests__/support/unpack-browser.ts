import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Unpacks @sparticuz/chromium's browser, with the libraries and fonts that a bare machine lacks, into a folder. */
async function unpack(folder: string): Promise<void> {
  const draft = `${folder}.${process.pid}`;
  mkdirSync(draft, { recursive: true });
  // The package unpacks into TMPDIR, and its libraries only if it detects AWS Lambda.
  process.env.TMPDIR = draft;
  process.env.AWS_EXECUTION_ENV = "AWS_Lambda_nodejs20.x";
  const { default: chromium } = await import("@sparticuz/chromium");
  await chromium.executablePath();
  const fonts = join(folder, "fonts");
  writeFileSync(
    join(draft, "fonts/fonts.conf"),
    `<fontconfig><dir>/usr/share/fonts</dir><dir>${fonts}</dir><cachedir>${fonts}-cache</cachedir></fontconfig>\n`,
  );
  // Renaming is atomic, so a concurrent process never sees half of a browser. A browser that another process has put there first
  // stays, because it may be running.
  try {
    renameSync(draft, folder);
  } catch {
    rmSync(draft, { recursive: true });
  }
}

unpack(process.argv[2] ?? "");
