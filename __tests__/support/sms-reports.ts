import { createHmac } from "node:crypto";

export const secret = "sixteen-letters-of-it";
const appUrl = "https://apply.example";

const json = { "content-type": "application/json" };
export const form = { "content-type": "application/x-www-form-urlencoded" };

/** Builds a call as each provider sends it, with its signature or key. */
export const calls = {
  generic(fields: object) {
    const raw = JSON.stringify(fields);
    const signature = `sha256=${createHmac("sha256", secret).update(raw).digest("hex")}`;
    return { raw, headers: { ...json, "x-signature": signature } };
  },
  twilio(fields: Record<string, string>, query = "") {
    const raw = new URLSearchParams(fields).toString();
    const all = Object.keys(fields)
      .sort()
      .map((name) => name + fields[name]);
    const signed = `${appUrl}/api/webhooks/sms${query}${all.join("")}`;
    const signature = createHmac("sha1", "token").update(signed).digest("base64");
    return { raw, query, headers: { ...form, "x-twilio-signature": signature } };
  },
  clicksend: (fields: Record<string, string>) => ({
    raw: new URLSearchParams(fields).toString(),
    query: `?key=${secret}`,
    headers: form,
  }),
  messagemedia: (fields: object) => ({ raw: JSON.stringify(fields), query: `?key=${secret}`, headers: json }),
};

export interface Call {
  raw: string;
  query?: string;
  headers: Record<string, string>;
}

/** For each provider: reports of a delivered, a failed and a pending message, an answer, and a report with our own ID. */
export const providerCalls = {
  generic: {
    delivered: (id: string) => calls.generic({ id, state: "delivered" }),
    failed: (id: string) => calls.generic({ id, state: "failed" }),
    error: "not delivered",
    onItsWay: (id: string) => calls.generic({ id, state: "sent" }),
    answer: (text: string) => calls.generic({ from: "+61412345678", text }),
    ofOurs: (own: string) => calls.generic({ id: own, state: "delivered" }),
  },
  twilio: {
    delivered: (id: string) => calls.twilio({ MessageSid: id, MessageStatus: "delivered", To: "+61412345678" }),
    failed: (id: string) => calls.twilio({ MessageSid: id, MessageStatus: "undelivered", ErrorCode: "30003" }),
    error: "not delivered 30003",
    onItsWay: (id: string) => calls.twilio({ MessageSid: id, MessageStatus: "sent" }),
    answer: (Body: string) => calls.twilio({ MessageSid: "SM9", SmsStatus: "received", From: "+61412345678", Body }),
    ofOurs: (own: string) => calls.twilio({ MessageSid: "theirs", MessageStatus: "delivered" }, `?message=${own}`),
  },
  clicksend: {
    delivered: (id: string) => calls.clicksend({ message_id: id, status_code: "201", status_text: "Success" }),
    failed: (id: string) => calls.clicksend({ message_id: id, status_code: "301", error_code: "305" }),
    error: "not delivered 305",
    onItsWay: (id: string) => calls.clicksend({ message_id: id, status_code: "300" }),
    answer: (body: string) => calls.clicksend({ message_id: "R1", from: "+61412345678", body, to: "+61400000000" }),
    ofOurs: (own: string) => calls.clicksend({ message_id: "theirs", custom_string: own, status_code: "201" }),
  },
  messagemedia: {
    delivered: (id: string) => calls.messagemedia({ message_id: id, status: "delivered", error_code: "220" }),
    failed: (id: string) => calls.messagemedia({ message_id: id, status: "expired", error_code: "401" }),
    error: "not delivered 401",
    onItsWay: (id: string) => calls.messagemedia({ message_id: id, status: "enroute" }),
    answer: (content: string) =>
      calls.messagemedia({ reply_id: "R1", message_id: "M1", source_number: "+61412345678", content }),
    ofOurs: (own: string) =>
      calls.messagemedia({ message_id: "theirs", status: "delivered", metadata: { message: own } }),
  },
};
