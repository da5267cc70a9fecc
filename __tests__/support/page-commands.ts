import { readFileSync } from "node:fs";

/** Whether a text is a command line, which may begin with variables. */
const isCommand = (text: string) => /^(env -u [A-Z_]+ )?([A-Z_]+=\S* )*(npm|pg_dump|pg_restore|export) /.test(text);

/**
 * Returns the command lines of a page, or of one section of it: those in code blocks, without the remarks that follow two
 * spaces, and, if `inSentences`, those within sentences. Throws if a line of a code block is not a command, unless the block
 * names another language.
 */
export function commandsOf(page: string, section = "", inSentences = false): string[] {
  const pageText = readFileSync(page, "utf8");
  const text = section ? pageText.split(`\n## ${section}\n`)[1]?.split("\n## ")[0] : pageText;
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
