import "server-only";
import type { MessageKind } from "@/lib/server/outbox/kinds";
import type { Template, WrittenEmail } from "./template";

export const emails: Partial<Record<MessageKind, Template<WrittenEmail>>> = {};
