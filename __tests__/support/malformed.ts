/** Requests that every call refuses before it reads a token, each with the status of the answer. */
export const malformed = [
  ["of another site", 403, { headers: { "sec-fetch-site": "cross-site" } }],
  ["as a form", 415, { headers: { "content-type": "application/x-www-form-urlencoded" } }],
  ["as plain text, which needs no preflight", 415, { headers: { "content-type": "text/plain" } }],
  ["as a form with files", 415, { headers: { "content-type": "multipart/form-data; boundary=x" } }],
  ["as no type at all", 415, { headers: { "content-type": "" } }],
  ["as a type that only begins like JSON", 415, { headers: { "content-type": "application/json5" } }],
  ["as a type that only ends like JSON", 415, { headers: { "content-type": "text/json" } }],
  ["as malformed JSON", 400, { raw: '{"token":' }],
  ["with nothing in it", 400, { raw: "" }],
  ["as a list", 400, { raw: "[]" }],
  ["as null", 400, { raw: "null" }],
  ["as a piece of text", 400, { raw: '"token"' }],
  ["in bad UTF-8", 400, { raw: new Uint8Array([...Buffer.from('{"token":"'), 0xff, ...Buffer.from('"}')]) }],
  ["of more than 32 KB", 413, { raw: JSON.stringify({ token: "x".repeat(33 * 1024) }) }],
  ["that announces more than it may send", 413, { headers: { "content-length": "40000" } }],
] as const;
