import { readFileSync } from "node:fs";
import { productFiles } from "@/__tests__/support/product-files";

const readers = ["lib/server/http/read-answer.ts", "lib/server/http/read-body.ts"];
/** Studio serves one person on this machine, who has the secret of its start. */
const files = productFiles("app", "lib/server")
  .filter((file) => !file.startsWith("lib/server/studio/"))
  .map((file) => ({ file, text: readFileSync(file, "utf8") }));
const filesWith = (wanted: RegExp) => files.filter(({ text }) => wanted.test(text)).map(({ file }) => file);

test("only read-body.ts and read-answer.ts read bodies, because they limit the bytes", () => {
  const reading = /\.(json|text|arrayBuffer|blob|bytes|formData|getReader)\(\)|stream\/consumers|\bof (\w+\.)?body\b/;
  expect(filesWith(reading).sort()).toEqual(readers);
});

test("every request to another system has a time limit, which also covers its answer", () => {
  const requesting = filesWith(/\bfetch\(/);
  expect(requesting).toEqual(["lib/server/channels/sms/send-sms.ts", "lib/server/channels/webhooks/send-webhook.ts"]);
  for (const { file, text } of files)
    if (requesting.includes(file)) expect(text).toMatch(/signal = AbortSignal\.timeout\(/);
});
