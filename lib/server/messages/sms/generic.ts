import "server-only";
import { z } from "zod";
import { type Adapter, asId, isBodySigned } from "./adapter";

const taken = z.object({ id: z.unknown(), message_id: z.unknown(), messageId: z.unknown() }).partial();
const refused = z.object({ code: z.unknown() });

/**
 * A gateway whose request SMS_BODY describes: {to}, {from}, {text} and {id} within its strings. They are put into the
 * parsed JSON, so that quotes in a text end no string, and in one pass, so that '{from}' in a text stays.
 */
export const generic: Adapter = {
  request(sms, { id, to, text }) {
    const values: Record<string, string> = { to, from: sms.from, text, id };
    const fill = (written: string) =>
      written.replace(/\{(to|from|text|id)\}/g, (_, name: string) => values[name] ?? "");
    const filled = JSON.parse(sms.body, (_, value: unknown) => (typeof value === "string" ? fill(value) : value));
    return {
      url: sms.url ?? "",
      headers: { "content-type": "application/json", ...(sms.secret ? { authorization: sms.secret } : {}) },
      body: JSON.stringify(filled),
    };
  },
  accepted(answer) {
    const { id, message_id, messageId } = taken.safeParse(answer).data ?? {};
    return { state: "sent", providerId: asId(id ?? message_id ?? messageId) };
  },
  refusalCode: (answer) => refused.safeParse(answer).data?.code,
  reportSecret: ({ reportSecret }) => reportSecret,
  isGenuine: isBodySigned,
  report({ fields: { id, state, from, text } }) {
    if (state === "delivered" || state === "failed") return { type: "message", ids: [id], state };
    return typeof from === "string" && typeof text === "string" ? { type: "reply", from, text } : undefined;
  },
};
