import { createHmac } from "node:crypto";
import { z } from "zod";
import { isSameSecret } from "@/lib/server/links/token";
import { type Adapter, baseUrl, basicAuthorization, finalState, parseProviderCode, parseProviderId } from "./adapter";

const acceptedBody = z.object({ sid: z.string(), status: z.string(), error_code: z.unknown().optional() });
const failures = ["undelivered", "failed"];

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
    if (failures.includes(data.status))
      return { state: "failed", error: ["failed", parseProviderCode(data.error_code)].filter(Boolean).join(" ") };
    return { state: "sent", providerId: parseProviderId(data.sid) };
  },
  refusalField: "code",
  // The sender is wrong (21212, 21603, 21606), belongs to another account (21660), or has too many messages waiting (21611).
  accountErrors: ["21212", "21603", "21606", "21611", "21660"],
  /** Twilio signs the address that it was given, followed by every field's name and value, sorted by name. */
  isGenuine({ url, headers, fields }, secret) {
    const names = Object.keys(fields).sort();
    const signed = `${url.href}${names.map((name) => `${name}${fields[name]}`).join("")}`;
    const signature = createHmac("sha1", secret).update(signed).digest("base64");
    return isSameSecret(headers.get("x-twilio-signature") ?? "", signature);
  },
  report({ url, fields }) {
    const { MessageSid, MessageStatus, ErrorCode, From, Body } = fields;
    const state = finalState(MessageStatus, "delivered", failures);
    return { ids: [MessageSid, url.searchParams.get("message")], state, code: ErrorCode, from: From, text: Body };
  },
} satisfies Adapter;
