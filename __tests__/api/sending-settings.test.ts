import { readSettings } from "@/lib/server/settings";

const gateway = { SMS_PROVIDER: "generic", SMS_URL: "https://sms.example", SMS_FROM: "61400000000" };
const secret = `whsec_${"a".repeat(32)}`;

test.each<[Record<string, string>, RegExp]>([
  [{ SMTP_URL: "smtp:mail.example" }, /^SMTP_URL: /m],
  [{ SMTP_URL: "smtp://" }, /^SMTP_URL: /m],
  [
    { SMTP_URL: "smtp://mail.example", MAIL_FROM: "A <a@b.example>, B <c@d.example>" },
    /^MAIL_FROM: is not an address/m,
  ],
  [{ ...gateway, SMS_BODY: '{"text":"{text}"}' }, /^SMS_BODY: has no \{to\} or no \{text\}/m],
  [{ ...gateway, SMS_BODY: '{"to":"{to}"}' }, /^SMS_BODY: has no/m],
  [{ ...gateway, SMS_SECRET: "Bearer „secret“" }, /^SMS_SECRET: contains characters/m],
  [{ SANDBOX_RECIPIENTS: "me" }, /^SANDBOX_RECIPIENTS.*: is neither/m],
  [{ STAFF_EMAILS: "loans@lender.example" }, /^SMTP_URL: required by STAFF_EMAILS/m],
  [{ AGENT_NOTICE: "1" }, /^SMTP_URL: required by AGENT_NOTICE=1/m],
  [{ MAIL_FROM: "loans@lender.example" }, /^SMTP_URL: required by MAIL_FROM/m],
  [{ SMS_FROM: "61400000000" }, /^SMS_PROVIDER: required by SMS_FROM/m],
  [{ WEBHOOK_SECRET: secret }, /^WEBHOOK_URL: required by WEBHOOK_SECRET/m],
])("%j stops the start, and the message names the setting", (settings, expected) => {
  expect(() => readSettings(settings)).toThrow(expected);
});

test("a complete setup is accepted", () => {
  const settings = {
    SMTP_URL: "smtps://loans%40lender.example:100%25sure@mail.example:465?name=app.lender.example",
    MAIL_FROM: '"Wattle Lane, loans" <loans@lender.example>',
    ...gateway,
    WEBHOOK_URL: "https://lender.example/hooks",
    WEBHOOK_SECRET: `${secret} ${secret}`,
    STAFF_EMAILS: "loans@lender.example",
    SANDBOX_RECIPIENTS: "0412 345 678, +61 (0) 412 345 679, me@lender.example, *",
  };
  expect(readSettings(settings)).toMatchObject({
    STAFF_EMAILS: ["loans@lender.example"],
    sending: { sms: { from: "61400000000" } },
  });
});

test("reminders are sorted and unique: the first that waits is sent", () => {
  expect(readSettings({ REMINDER_DAYS: "14,3,7,3" }).REMINDER_DAYS).toEqual([3, 7, 14]);
});
