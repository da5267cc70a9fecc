import { createHmac } from "node:crypto";
import { z } from "zod";
import { isSameSecret } from "@/lib/server/links/token";
import { type Adapter, baseUrl, basicAuthorization, finalState, parseProviderCode, parseProviderId } from "./adapter";

const acceptedBody = z.object({ sid: z.string(), status: z.string(), error_code: z.unknown().optional() });
const failures = ["undelivered", "failed"];
const optOutError = "21610";

/** https://www.twilio.com/docs/messaging/api/message-resource */
export const twilio = {
  request(sms, { id, to, text }, reportsTo) {
    const form = new URLSearchParams({ To: `+${to}`, From: sms.from, Body: text });
    reportsTo?.searchParams.set("message", id);
    if (reportsTo) form.set("StatusCallback", reportsTo.href);
    return {
      url: `${baseUrl(sms, "https://api.twilio.com")}/2010-04-01/Accounts/${encodeURIComponent(sms.account)}/Messages.json`,
      headers: { authorization: basicAuthorization(sms) },
      body: form,
    };
  },
  accepted(body) {
    const { data } = acceptedBody.safeParse(body);
    if (!data) return undefined;
    if (failures.includes(data.status)) {
      const code = parseProviderCode(data.error_code);
      const error = ["failed", code].filter(Boolean).join(" ");
      return { state: "failed", error, ...(code === optOutError ? { isOptedOut: true as const } : {}) };
    }
    return { state: "sent", providerId: parseProviderId(data.sid) };
  },
  refusalField: "code",
  // The sender is wrong (21212, 21603, 21606, 21659, 21703), belongs to another account (21660), has too many messages waiting
  // (21611), or is on trial (21608). A country that is not enabled (21408) may be that of one recipient.
  accountErrors: ["21212", "21603", "21606", "21608", "21611", "21659", "21660", "21703"],
  recipientErrors: ["21211", "21214", "21217", "21265", "21610", "21612", "21614", "21635"],
  optOutError,
  /** Twilio signs the address that it was given, followed by every field's name and value, sorted by name. */
  isGenuine({ url, headers, fields }, secret) {
    const names = Object.keys(fields).sort();
    const signed = `${url.href}${names.map((name) => `${name}${fields[name]}`).join("")}`;
    const signature = createHmac("sha1", secret).update(signed).digest("base64");
    return isSameSecret(headers.get("x-twilio-signature") ?? "", signature);
  },
  report({ url, fields }) {
    const { MessageSid, MessageStatus, ErrorCode, From, Body, OptOutType } = fields;
    const state = finalState(MessageStatus, "delivered", failures);
    return {
      ids: [MessageSid, url.searchParams.get("message")],
      state,
      code: ErrorCode,
      from: From,
      text: Body,
      isOptOut: OptOutType === "STOP",
    };
  },
} satisfies Adapter;
