import "server-only";

/** What a call reads of its request: a Request is one, and Node's own request is made one (before-next.ts). */
export interface CallRequest {
  headers: Pick<Headers, "get">;
  body: { getReader(): { read(): Promise<IteratorResult<Uint8Array, unknown>>; cancel(): Promise<void> } } | null;
}
