/** Where request-start.ts sends every method that a page does not take. */
export function GET(): Response {
  return new Response("This page takes GET and HEAD only.\n", {
    status: 405,
    headers: { allow: "GET, HEAD", "cache-control": "no-store" },
  });
}
