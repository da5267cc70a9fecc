import "server-only";
import type { Adapter, SmsSettings } from "./adapter";
import { clicksend } from "./clicksend";
import { generic } from "./generic";
import { messagemedia } from "./messagemedia";
import { twilio } from "./twilio";

export const adapters: Record<SmsSettings["provider"], Adapter> = { generic, twilio, clicksend, messagemedia };

/** Where providers tell what became of messages. */
export const reportPath = "/api/webhooks/sms";
