import { z } from "zod";
import { type Adapter, baseUrl, basicAuthorization, finalState, parseProviderId } from "./adapter";

const acceptedBody = z.object({
  messages: z.array(z.object({ message_id: z.unknown().optional(), status: z.string().default("") })).min(1),
});
const metadata = z.object({ message: z.unknown() });
const failures = ["expired", "rejected", "undeliverable", "failed", "cancelled"];

/** https://support.messagemedia.com, Messages API. SMS_URL can name a regional address such as https://au.app.api.sinch.com. */
export const messagemedia: Adapter = {
  request(sms, { id, to, text }, reportsTo) {
    const isNumber = /^\+?\d+$/.test(sms.from);
    if (sms.reportSecret) reportsTo?.searchParams.set("key", sms.reportSecret);
    const message = {
      content: text,
      destination_number: `+${to}`,
      source_number: sms.from,
      // MessageMedia recognises by its digits whether a number is national or international.
      ...(isNumber ? {} : { source_number_type: "ALPHANUMERIC" }),
      format: "SMS",
      delivery_report: true,
      ...(reportsTo && sms.reportSecret ? { callback_url: reportsTo.href } : {}),
      metadata: { message: id },
    };
    return {
      url: `${baseUrl(sms, "https://api.messagemedia.com")}/v1/messages`,
      headers: {
        authorization: basicAuthorization(sms),
        "content-type": "application/json",
        accept: "application/json",
      },
      body: JSON.stringify({ messages: [message] }),
    };
  },
  accepted(body) {
    const [message] = acceptedBody.safeParse(body).data?.messages ?? [];
    if (!message) return undefined;
    if (failures.includes(message.status)) return { state: "failed", error: message.status };
    return { state: "sent", providerId: parseProviderId(message.message_id) };
  },
  report({ fields }) {
    const { message_id, status, error_code, source_number, content } = fields;
    const messageId = metadata.safeParse(fields.metadata).data?.message;
    const state = finalState(status, "delivered", failures);
    return { ids: [message_id, messageId], state, code: error_code, from: source_number, text: content };
  },
};
