/** A provider's answer has some hundred bytes. */
const maxBytes = 64 * 1024;

/**
 * Reads an answer of another system as JSON; undefined if it is not JSON, longer than the limit, or cut off. `response.json()`
 * would read an endless answer into the memory. The signal that was given to `fetch` limits the time, also of the body.
 */
export async function readJsonAnswer({ body }: Response): Promise<unknown> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of body ?? []) {
      size += chunk.byteLength;
      // Leaving the loop ends the connection.
      if (size > maxBytes) return undefined;
      chunks.push(chunk);
    }
    return JSON.parse(Buffer.concat(chunks).toString("utf8"));
  } catch {
    return undefined;
  }
}
