import { envelopedCall } from "@/lib/server/http/call";
import { requireInvitationApi } from "@/lib/server/invitations/api-keys";
import { getInvitation } from "@/lib/server/invitations/invitation-api";

/** Reports what became of an invitation: only its status and times. */
export const { POST, GET, PUT, PATCH, DELETE, OPTIONS } = envelopedCall(
  { name: "invitation", method: "GET", failure: "The invitation could not be read", requireCall: requireInvitationApi },
  getInvitation,
);
