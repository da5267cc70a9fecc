import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Unpacks the Chromium of @sparticuz/chromium, and the libraries and fonts that a bare machine lacks, into a folder. */
async function unpack(folder: string): Promise<void> {
  const draft = `${folder}.${process.pid}`;
  mkdirSync(draft, { recursive: true });
  // It unpacks into the temporary folder, and its libraries only where it believes itself on the system they are from.
  process.env.TMPDIR = draft;
  process.env.AWS_EXECUTION_ENV = "AWS_Lambda_nodejs20.x";
  const { default: chromium } = await import("@sparticuz/chromium");
  await chromium.executablePath();
  const fonts = join(folder, "fonts");
  writeFileSync(
    join(draft, "fonts/fonts.conf"),
    `<fontconfig><dir>/usr/share/fonts</dir><dir>${fonts}</dir><cachedir>${fonts}-cache</cachedir></fontconfig>\n`,
  );
  // Whole or not at all, whoever else is at it.
  rmSync(folder, { recursive: true, force: true });
  renameSync(draft, folder);
}

unpack(process.argv[2] ?? "");
