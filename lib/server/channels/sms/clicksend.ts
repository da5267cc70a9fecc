import { z } from "zod";
import { providerUnavailable } from "@/lib/server/outbox/outcome";
import { type Adapter, baseUrl, basicAuthorization, finalState, parseProviderCode, parseProviderId } from "./adapter";

const acceptedBody = z.object({
  data: z.object({ messages: z.array(z.object({ status: z.string(), message_id: z.unknown().optional() })).min(1) }),
});
const accountErrors = ["INSUFFICIENT_CREDIT", "ACCOUNT_NOT_ACTIVATED", "INVALID_SENDER_ID", "THROTTLED"];

/** https://developers.clicksend.com/docs/messaging/sms */
export const clicksend: Adapter = {
  request(sms, { id, to, text }) {
    return {
      url: `${baseUrl(sms, "https://rest.clicksend.com")}/v3/sms/send`,
      headers: { authorization: basicAuthorization(sms), "content-type": "application/json" },
      body: JSON.stringify({
        messages: [{ source: "rent-advance", from: sms.from, to: `+${to}`, body: text, custom_string: id }],
      }),
    };
  },
  /** Each message has its own status. HTTP 200 only says that the call was understood. */
  accepted(body) {
    const { data } = acceptedBody.safeParse(body);
    const [message] = data?.data.messages ?? [];
    if (!message) return undefined;
    if (message.status === "SUCCESS") return { state: "sent", providerId: parseProviderId(message.message_id) };
    const error = parseProviderCode(message.status) ?? "refused";
    return accountErrors.includes(error) ? providerUnavailable(error) : { state: "failed", error };
  },
  refusalField: "response_code",
  accountErrors,
  recipientErrors: ["INVALID_RECIPIENT"],
  report({ fields }) {
    const { message_id, custom_string, status_code, error_code, from, body } = fields;
    // 200 (queued) and 300 (will be retried) are not final.
    const state = finalState(String(status_code), "201", ["301"]);
    return { ids: [message_id, custom_string], state, code: error_code, from, text: body };
  },
};
