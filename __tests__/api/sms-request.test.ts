import { account, message, ownGateway } from "@/__tests__/support/sms-sender";
import { adapters } from "@/lib/server/messages/sms/send-sms";
import { readSettings } from "@/lib/server/settings";

const { gateway, sender } = ownGateway();
const basic = `Basic ${Buffer.from(`${account.SMS_ACCOUNT}:${account.SMS_SECRET}`).toString("base64")}`;

/** Sends an SMS with these settings, and returns the request that the provider received. */
async function received(settings: Record<string, string>, text = message.text) {
  const sendSms = sender(settings);
  gateway().answers({ status: 400 });
  await sendSms({ ...message, text });
  return gateway().asked[0];
}

test("Twilio gets the request that its API documents", async () => {
  const request = await received({ SMS_PROVIDER: "twilio" }, "A & B");
  expect(request).toMatchObject({
    path: "/2010-04-01/Accounts/the-account/Messages.json",
    headers: { authorization: basic, "content-type": expect.stringContaining("application/x-www-form-urlencoded") },
  });
  expect(Object.fromEntries(new URLSearchParams(request?.body))).toEqual({
    To: "+61412345678",
    From: "Lender",
    Body: "A & B",
    StatusCallback: `https://apply.example/api/webhooks/sms?message=${message.id}`,
  });
});

test("ClickSend gets the request that its API documents", async () => {
  const request = await received({ SMS_PROVIDER: "clicksend" });
  expect(request).toMatchObject({
    path: "/v3/sms/send",
    headers: { authorization: basic, "content-type": "application/json" },
  });
  expect(JSON.parse(request?.body ?? "")).toEqual({
    messages: [
      { source: "rent-advance", from: "Lender", to: "+61412345678", body: "Hello", custom_string: message.id },
    ],
  });
});

test("MessageMedia gets the request that its API documents", async () => {
  const request = await received({ SMS_PROVIDER: "messagemedia" });
  expect(request).toMatchObject({
    path: "/v1/messages",
    headers: { authorization: basic, "content-type": "application/json", accept: "application/json" },
  });
  expect(JSON.parse(request?.body ?? "")).toEqual({
    messages: [
      {
        content: "Hello",
        destination_number: "+61412345678",
        source_number: "Lender",
        source_number_type: "ALPHANUMERIC",
        format: "SMS",
        delivery_report: true,
        callback_url: "https://apply.example/api/webhooks/sms?key=sixteen-letters-of-it",
        metadata: { message: message.id },
      },
    ],
  });
});

test("a gateway gets the request of its template; the text cannot end a string or act as a placeholder", async () => {
  const body = '{"sms":{"to":"+{to}","lines":["{from}: {text}"],"ref":"{id}","flash":false}}';
  const text = 'say "hi" {from}\n\\$&';
  const request = await received({ SMS_PROVIDER: "generic", SMS_BODY: body, SMS_SECRET: "Bearer of-news" }, text);
  expect(request).toMatchObject({
    path: "/",
    headers: { authorization: "Bearer of-news", "content-type": "application/json" },
  });
  expect(JSON.parse(request?.body ?? "")).toEqual({
    sms: { to: "+61412345678", lines: [`Lender: ${text}`], ref: message.id, flash: false },
  });
});

test("a gateway without an account gets no credentials", async () => {
  const request = await received({ SMS_PROVIDER: "generic", SMS_SECRET: "", SMS_BODY: '{"{to}":"{to}: {text}"}' });
  expect(request?.headers.authorization).toBeUndefined();
  expect(request?.body).toBe('{"{to}":"61412345678: Hello"}');
});

test.each(["twilio", "messagemedia"])("%s is asked for no reports if it could not deliver them", async (provider) => {
  const request = await received({ SMS_PROVIDER: provider, APP_URL: "http://localhost:3000" });
  expect(request?.body).not.toContain("webhooks");
});

/** The request as the provider's adapter writes it, with its URL. */
function requestOf(settings: Record<string, string>, reportsTo?: URL) {
  const { sms } = readSettings({ SMS_FROM: "Lender", ...account, ...settings }).sending;
  if (!sms) throw new Error("No provider is set up");
  return adapters[sms.provider].request(sms, message, reportsTo);
}

test.each([
  ["twilio", "https://api.twilio.com/2010-04-01/Accounts/the-account/Messages.json"],
  ["clicksend", "https://rest.clicksend.com/v3/sms/send"],
  ["messagemedia", "https://api.messagemedia.com/v1/messages"],
])("%s is asked at its own address, or at the one of SMS_URL", (provider, address) => {
  expect(requestOf({ SMS_PROVIDER: provider }).url).toBe(address);
  const elsewhere = requestOf({ SMS_PROVIDER: provider, SMS_URL: "https://sms.example/api//" });
  expect(elsewhere.url).toBe(`https://sms.example/api${new URL(address).pathname}`);
});

test.each([
  ["+61400000000", undefined],
  ["61400000000", undefined],
  ["Lender", "ALPHANUMERIC"],
  ["1Lender", "ALPHANUMERIC"],
  ["Lender1", "ALPHANUMERIC"],
])("the request to MessageMedia gives the type of the sender %s: %s", (SMS_FROM, type) => {
  const { body } = requestOf({ SMS_PROVIDER: "messagemedia", SMS_FROM });
  expect(JSON.parse(body).messages[0].source_number_type).toBe(type);
});

test("MessageMedia is asked for no reports without a secret to verify them", () => {
  const { body } = requestOf({ SMS_PROVIDER: "messagemedia" }, new URL("https://apply.example/api/webhooks/sms"));
  expect(JSON.parse(body).messages[0].callback_url).toBeUndefined();
});
