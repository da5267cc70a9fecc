import { readFileSync } from "node:fs";
import { productFiles } from "@/__tests__/support/product-files";

/** Prisma's raw calls, and statements that are sent on a connection of `pg` or by Studio's library. */
const statement = /\$(?:query|execute)Raw|\.query\(/;
const fragment =
  /Prisma\.(?:sql|raw)\b|["'`]\s*(?:SELECT|INSERT INTO|UPDATE|DELETE FROM|ALTER|SET LOCAL|CREATE|DROP|GRANT)\s/;

const files = productFiles("app", "lib").map((file) => ({ file, text: readFileSync(file, "utf8") }));
const withRawSql = files.filter(({ text }) => statement.test(text) || fragment.test(text));

const reason = /(\/\/|\*) Raw\b/;

test("each raw statement has a reason, or its file has one for all", () => {
  const reasonless = withRawSql.flatMap(({ file, text }) => {
    // The code before each statement, from the previous statement on.
    const before = text.split(statement).slice(0, -1);
    return text.includes("// Raw throughout:")
      ? []
      : before.flatMap((code, n) => (reason.test(code) ? [] : [`${file}, ${n + 1}`]));
  });
  expect(reasonless).toEqual([]);
});

/** The text of a call from its opening parenthesis to the closing one. */
function callAt(text: string, start: number): string {
  let depth = 0;
  for (let at = text.indexOf("(", start); at < text.length; at += 1) {
    if (text[at] === "(") depth += 1;
    if (text[at] === ")") depth -= 1;
    if (depth === 0) return text.slice(start, at);
  }
  return text.slice(start);
}

test("no transaction takes another connection, because simultaneous calls would exhaust the pool", () => {
  const offending = files.flatMap(({ file, text }) =>
    [...text.matchAll(/\$transaction\(|function \w+\(\s*tx: Db/g)].flatMap(({ index }) => {
      const end = text.indexOf("\n}\n", index);
      const scope = text.startsWith("$transaction", index) ? callAt(text, index) : text.slice(index, end);
      return /\bprisma\(\)|\bdatabase\(\)/.test(scope) ? [file] : [];
    }),
  );
  expect(offending).toEqual([]);
});
