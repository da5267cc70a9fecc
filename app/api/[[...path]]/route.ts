/** An unknown API path gets a 404 in the API's JSON envelope, not Next's HTML page. */
function unknownCall(): Response {
  const body = { success: false, message: "There is no such endpoint" };
  return Response.json(body, { status: 404, headers: { "cache-control": "no-store" } });
}

export {
  unknownCall as DELETE,
  unknownCall as GET,
  unknownCall as OPTIONS,
  unknownCall as PATCH,
  unknownCall as POST,
  unknownCall as PUT,
};
