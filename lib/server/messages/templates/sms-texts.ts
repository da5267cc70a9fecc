import "server-only";
import type { MessageKind } from "@/lib/server/messages/outbox/kinds";
import { freshLinkSms } from "./fresh-link";
import { invitationSms } from "./invitation";
import { notYouSms } from "./not-you";
import { reminderSms } from "./reminder";
import type { Template } from "./template";
import { testSms } from "./test";

export const smsTexts: Partial<Record<MessageKind, Template<string>>> = {
  invitation: invitationSms,
  reminder: reminderSms,
  "fresh-link": freshLinkSms,
  "not-you": notYouSms,
  test: testSms,
};
