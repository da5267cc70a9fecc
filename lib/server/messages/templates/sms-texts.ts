import "server-only";
import type { MessageKind } from "@/lib/server/outbox/kinds";
import type { Template } from "./template";

export const smsTexts: Partial<Record<MessageKind, Template<string>>> = {};
