import "server-only";
import type { MessageKind } from "@/lib/server/messages/outbox/kinds";
import { agentNoticeEmail } from "./agent-notice";
import { confirmationEmail } from "./confirmation";
import { freshLinkEmail } from "./fresh-link";
import { invitationEmail } from "./invitation";
import { reminderEmail } from "./reminder";
import { staffNoticeEmail } from "./staff";
import { statusEmail } from "./status";
import type { Template, WrittenEmail } from "./template";
import { testEmail } from "./test";

export const emails: Partial<Record<MessageKind, Template<WrittenEmail>>> = {
  invitation: invitationEmail,
  reminder: reminderEmail,
  "fresh-link": freshLinkEmail,
  confirmation: confirmationEmail,
  status: statusEmail,
  "staff-notice": staffNoticeEmail,
  "agent-notice": agentNoticeEmail,
  test: testEmail,
};
