/** An address of the API that is none is answered in the API's own envelope, not with a page. */
function unknownCall(): Response {
  const body = { success: false, message: "There is no such call" };
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
