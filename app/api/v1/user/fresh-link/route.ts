import { requestFreshLink } from "@/lib/server/delivery/fresh-link";
import { envelopedCall } from "@/lib/server/http/call";

/** For applicants whose link no longer works. Every token gets the same response. */
export const { POST, GET, PUT, PATCH, DELETE, OPTIONS } = envelopedCall(
  {
    name: "fresh-link",
    failure: "We couldn't send you a new link",
    success: {
      status: 202,
      message: "If the link was ours, a new one is on its way to the mobile or email we first contacted",
    },
  },
  requestFreshLink,
);
