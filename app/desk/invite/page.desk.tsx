import type { Metadata } from "next";
import { requirePerson } from "@/app/desk/guard";
import { InviteForm } from "@/components/desk/invite-form";
import { currentSettings } from "@/lib/server/settings";
import { inviteOne } from "./actions";

export const metadata: Metadata = { title: "Invite" };

export default async function Invite() {
  await requirePerson("/desk/invite");
  const { email, sms } = currentSettings().sending;
  return (
    <div className="desk py-6">
      <h1 className="mb-2 font-bold text-2xl">Invite one person</h1>
      <p className="mb-6 text-ink-soft">You see what the invitation says before it goes. Only the mobile is needed.</p>
      <InviteForm action={inviteOne} maySend={Boolean(email ?? sms)} />
    </div>
  );
}
