"use server";

import { deskAction } from "@/app/desk/guard";
import type { InviteState } from "@/components/desk/invite-form";
import { recordRun } from "@/lib/server/applications/record-run";
import { invite } from "@/lib/server/desk/invite";
import { invitationFields } from "@/lib/server/invitations/invitation";

export const inviteOne = deskAction<InviteState>("invite", async (form, { by }) => {
  const entries = invitationFields.flatMap(({ flag }) => {
    const value = form.get(flag);
    return typeof value === "string" && value.trim() !== "" ? [[flag, value] as const] : [];
  });
  const isSent = form.get("sending") === "send";
  const isSecond = form.get("second") !== null;
  const confirmed = form.get("step") === "send" ? String(form.get("confirmed") ?? "") : "";
  const fields = Object.fromEntries(entries);
  // The preview says whether there is an open application with this contact, and whether it has opted out.
  await recordRun({ by, command: "desk invite" });
  return { fields, ...(await invite({ fields, isSent, isSecond, confirmed }, by)) };
});
