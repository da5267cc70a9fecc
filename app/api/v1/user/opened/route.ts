import { userCall } from "@/lib/server/http/call";

/** Every call with a token records the opening of its link. A page that the server has verified sends this one once it is shown. */
export const { POST, GET, PUT, PATCH, DELETE, OPTIONS } = userCall({
  name: "opened",
  failure: "The opening could not be recorded",
  action: () => undefined,
});
