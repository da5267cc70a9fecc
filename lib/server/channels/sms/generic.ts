import { z } from "zod";
import { isSigned } from "@/lib/server/channels/report-signature";
import { type Adapter, finalState, parseProviderId } from "./adapter";

const acceptedBody = z.object({ id: z.unknown(), message_id: z.unknown(), messageId: z.unknown() }).partial();

/**
 * A gateway whose request SMS_BODY describes: its strings may contain {to}, {from}, {text} and {id}. They are replaced in the
 * parsed JSON, so that a quote in a message cannot end a string, and in one pass, so that '{from}' in a message stays.
 */
export const generic: Adapter = {
  request(sms, { id, to, text }) {
    const values: Record<string, string> = { to, from: sms.from, text, id };
    const fill = (pattern: string) =>
      pattern.replace(/\{(to|from|text|id)\}/g, (_, name: string) => values[name] ?? "");
    const filled = JSON.parse(sms.body, (_, value: unknown) => (typeof value === "string" ? fill(value) : value));
    return {
      url: sms.url ?? "",
      headers: { "content-type": "application/json", ...(sms.secret ? { authorization: sms.secret } : {}) },
      body: JSON.stringify(filled),
    };
  },
  accepted(body) {
    const { id, message_id, messageId } = acceptedBody.safeParse(body).data ?? {};
    return { state: "sent", providerId: parseProviderId(id ?? message_id ?? messageId) };
  },
  refusalField: "code",
  isGenuine: isSigned,
  report({ fields: { id, state, from, text } }) {
    return { ids: [id], state: finalState(state, "delivered", ["failed"]), from, text };
  },
};
