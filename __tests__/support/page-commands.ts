import { readFileSync } from "node:fs";

/** A command line, perhaps with variables in front. */
const isCommand = (text: string) => /^([A-Z_]+=\S* )*(npm|pg_dump|pg_restore|export) /.test(text);

/**
 * The command lines of a page, or of one section of it, as they stand: those of its code blocks, without what is said beside
 * them after two spaces, and perhaps those within its sentences. Throws if a line of a code block is no command, unless the
 * block names another language.
 */
export function commandsOf(page: string, section = "", inSentences = false): string[] {
  const whole = readFileSync(page, "utf8");
  const text = section ? whole.split(`\n## ${section}\n`)[1]?.split("\n## ")[0] : whole;
  const found = (text ?? "").matchAll(/^```(\w*)\n([\s\S]*?)^```$|`([^`\n]+)`/gm);
  return [...found].flatMap(([, language, block, sentence = ""]) => {
    if (language) return [];
    if (block === undefined) return inSentences && isCommand(sentence) ? [sentence] : [];
    const lines = block.split("\n").flatMap((line) => line.split(/\s{2,}/)[0] || []);
    const odd = lines.find((line) => !isCommand(line));
    if (odd) throw new Error(`${page} has a line that is no command: ${odd}`);
    return lines;
  });
}
