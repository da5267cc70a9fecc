import { readFileSync } from "node:fs";
import { join } from "node:path";

const mbox = readFileSync(join(__dirname, "samples.mbox"), "latin1");

/** Delivery reports and complaints by their name, in the order of the file: written by hand, and only the parts that are parsed. */
export const samples = new Map(
  mbox.split(/^(?=From \w+-\w)/m).map((text) => {
    const [, name = "", email = ""] = /^From (\S+) [^\n]*\n(.*)/s.exec(text) ?? [];
    return [name, email];
  }),
);

/** Returns a sample that reports on the message with this Message-ID, which is given without angle brackets. */
export function reportAbout(name: string, messageId: string): Buffer {
  const email = samples.get(name) ?? "";
  return Buffer.from(email.replace(/^(message-id:\s*)\S+/gim, `$1<${messageId}>`), "latin1");
}
