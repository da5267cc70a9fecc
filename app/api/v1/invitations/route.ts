import { envelopedCall } from "@/lib/server/http/call";
import { requireInvitationApi } from "@/lib/server/invitations/api-keys";
import { postInvitations } from "@/lib/server/invitations/invitation-api";

/** Creates invitations for a system of the lender (docs/api.yaml). */
export const { POST, GET, PUT, PATCH, DELETE, OPTIONS } = envelopedCall(
  {
    name: "invitations",
    failure: "The invitations could not be created",
    success: { status: 201 },
    requireCall: requireInvitationApi,
  },
  postInvitations,
);
