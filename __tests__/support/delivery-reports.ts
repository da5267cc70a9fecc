/** Delivery reports and complaints, written by hand: the name and what it reports, and the fields that differ from the others'. */
const reports = `
ses-full-mailbox: undelivered 5.2.2
Status: 5.0.0 (permanent failure)
Diagnostic-Code: smtp; 5.1.0 - Unknown address error 550-'5.2.2 <ada@landlord.example>... Mailbox Full' (delivery attempts: 0)

ses-expired: undelivered 4.4.7
Status: 4.4.7
Diagnostic-Code: smtp; 550 4.4.7 Message expired: unable to deliver in 840 minutes.<421 4.4.0 Unable to lookup DNS>

ses-disabled: bounced 5.2.1
Original-Recipient: rfc822; ada@landlord.example
Status: 5.2.1
Diagnostic-Code: smtp; 550-5.2.1 The email account that you tried to reach is disabled. Learn more at
 550 5.2.1 https://support.google.com/mail/?p=DisabledUser

ses-relay: undelivered 5.7.1
Status: 5.7.1
Diagnostic-Code: smtp; 554 5.7.1 <ada@landlord.example>: Relay access denied

ses-blocklist: undelivered 5.7.1
Status: 5.1.1
Diagnostic-Code: smtp; 550 5.7.1 IP address blacklisted by recipient

courier-unknown-user: bounced 5.0.0
Status: 5.0.0
Diagnostic-Code: smtp; 550 Unknown user ada@landlord.example

courier-purported-sender: undelivered 5.7.1
Status: 5.0.0
Diagnostic-Code: smtp; 550 5.7.1 can't determine Purported Responsible Address

courier-unknown-domain: bounced 5.0.0
Status: 5.0.0
Diagnostic-Code: unknown; No such domain.

exchange-login: undelivered 5.7.1
Status: 5.7.1
Diagnostic-Code: smtp;550 5.7.1 RESOLVER.RST.AuthRequired; authentication required
X-Display-Name: Ada

exchange-unknown-user: bounced 5.1.1
Status: 5.1.1
Diagnostic-Code: smtp;550 5.1.1 RESOLVER.ADR.ExRecipNotFound; not found
X-Display-Name: Ada

exchange-online-access-denied: bounced 5.4.1
Status: 5.4.1
Diagnostic-Code: smtp;550 5.4.1 [ada@landlord.example]: Recipient address rejected: Access denied. AS(201806281)

exchange-online-full: undelivered 5.2.2
Status: 5.2.2
Diagnostic-Code: smtp;550 5.2.2 <ada@landlord.example>... Mailbox Full

exchange-online-remote-server: bounced 5.1.351
Status: 5.1.351
Diagnostic-Code: smtp;550 5.1.351 Remote server returned unknown recipient or mailbox unavailable

exim-spf: undelivered 5.0.0
Status: 5.0.0
Diagnostic-Code: smtp; 550 Bad SPF records for [lender.example:192.0.2.2]

exim-reverse-dns: undelivered 5.7.1
Status: 5.0.0
Diagnostic-Code: smtp; 550 5.7.1 Connections not accepted. Fix reverse DNS for 192.0.2.2

exim-own-field: bounced 5.0.0
Status: 5.0.0
X-Exim-Diagnostic: X-str; Unrouteable address

exim-no-reason: undelivered 5.0.0
Text: mailbox is full: retry timeout exceeded
Status: 5.0.0

gmail-no-such-user: bounced 5.1.1
Status: 5.1.1
Diagnostic-Code: smtp; 550-5.1.1 The email account that you tried to reach does not exist. Please try
 550-5.1.1 double-checking the recipient's email address for typos or
 550 5.1.1 unnecessary spaces. https://support.google.com/mail/?p=NoSuchUser - gsmtp

gmail-rate: undelivered 5.2.1
Status: 5.2.1
Diagnostic-Code: smtp; 550-5.2.1 The user you are trying to contact is receiving mail at a rate that
 550 5.2.1 prevents additional messages from being delivered. - gsmtp

gmail-dmarc: undelivered 5.7.26
Status: 5.7.26
Diagnostic-Code: smtp; 550-5.7.26 Unauthenticated email from lender.example is not accepted due to
 550 5.7.26 domain's DMARC policy. - gsmtp

opensmtpd-only-in-the-text: undelivered 5.0.0
Text: ada@landlord.example: Domain does not exist
Status: 5.0.0

opensmtpd-delayed: nothing
Text: Delivery is delayed.
Action: delayed
Status: 4.0.0

outlook-com-unknown-user: bounced 5.5.0
Status: 5.5.0
Diagnostic-Code: smtp;550 5.5.0 Requested action not taken: mailbox unavailable (S2017062302).

outlook-com-expired: undelivered 4.4.7
Status: 4.4.7
Diagnostic-Code: smtp;550 4.4.7 QUEUE.Expired; message expired

outlook-com-client: undelivered 5.5.0
Status: 5.5.0
Diagnostic-Code: smtp;550 domain [lender.example] mismatches client ip 192.0.2.2.

postfix-unknown-user: bounced 5.1.1
Final-Recipient: rfc822; ada@landlord.example
Original-Recipient: rfc822;ada@landlord.example
Status: 5.1.1
Diagnostic-Code: smtp; 550 5.1.1 <ada@landlord.example>: Recipient address rejected: User unknown

postfix-timeout: undelivered 4.4.1
Status: 4.4.1
Diagnostic-Code: X-Postfix; connect to mx.landlord.example[192.0.2.7]:25: Connection timed out

postfix-name-server: undelivered 5.4.4
Status: 5.4.4
Diagnostic-Code: X-Postfix; Name service error for name=landlord.example type=MX:
    Malformed or unexpected name server reply

postfix-unknown-host: bounced 5.4.4
Status: 5.4.4
Diagnostic-Code: X-Postfix; Host or domain name not found. Name service error for
    name=landlord.example type=A: Host not found

postfix-spamhaus: undelivered 5.1.0
Status: 5.1.0
Diagnostic-Code: smtp; 550-5.1.0 MailFrom domain is listed in Spamhaus. To request removal see
    550 5.1.0 //www.spamhaus.org/query/lookup/

powermta-yahoo: bounced 5.0.0
Status: 5.0.0 (undefined status)
Diagnostic-Code: smtp;554 delivery error: dd This user doesn't have a yahoo.com account (ada@landlord.example) [0]
X-PowerMTA-BounceCategory: bad-mailbox

powermta-category: undelivered 5.0.0
Status: 5.0.0 (undefined status)
Diagnostic-Code: smtp;550 Rejected
X-PowerMTA-BounceCategory: spam-related

sendmail-expired: undelivered 4.4.7
Final-Recipient: RFC822; ada@landlord.example
Status: 4.4.7

sendmail-moved: bounced 5.1.6
Final-Recipient: RFC822; ada@landlord.example
Status: 5.1.6
Diagnostic-Code: SMTP; 551 5.1.6 <ada@landlord.example>... has moved

sendgrid-expired: undelivered
Action: expired

mcafee-unknown-user: bounced
Original-Recipient: <ada@landlord.example>
Diagnostic-Code: smtp; 550 Unknown user ada@landlord.example

arf-abuse: complaint
Feedback-Type: abuse

arf-opt-out: complaint
Feedback-Type: opt-out

arf-auth-failure: nothing
Feedback-Type: auth-failure
`;

const part = (type: string, content: string) => `--b\nContent-Type: ${type}\n\n${content}\n`;
const multipart = (subject: string, type: string, parts: string) =>
  `Subject: ${subject}\nContent-Type: multipart/${type}; boundary="b"\n\n${parts}--b--\n\n`;
const ours = "Message-ID: <of-our-email@lender.example>\n";

function complaintOf(fields: string): string {
  const feedback = part("message/feedback-report", `${fields}\nUser-Agent: Reporter/1.0\nVersion: 1\n`);
  return multipart("Complaint", "report; report-type=feedback-report", feedback + part("message/rfc822", ours));
}

/** Adds the recipient and the action where the sample names none, and returns our email as its mail system does. */
function deliveryReportOf(name: string, fields: string): string {
  const [, text, status = ""] = /^(?:Text: ([^\n]*)\n)?(.*)$/s.exec(fields) ?? [];
  const recipient = /-Recipient:/.test(status) ? "" : "Final-Recipient: rfc822; ada@landlord.example\n";
  const action = /^Action:/m.test(status) ? "" : "Action: failed\n";
  const report = `Reporting-MTA: dns; mail.lender.example\n\n${recipient}${action}${status}\n`;
  const returned = /^(courier|exim|opensmtpd)/.test(name) ? "text/rfc822-headers" : "message/rfc822";
  const parts = [
    text ? part("text/plain", `${text}\n`) : "",
    part("message/delivery-status", report),
    part(returned, ours),
  ];
  const type = name.startsWith("opensmtpd") ? "mixed" : "report; report-type=delivery-status";
  return multipart("Undelivered Mail Returned to Sender", type, parts.join(""));
}

const microsoftComplaint = multipart(
  "complaint about message from 192.0.2.2",
  "mixed",
  part("message/rfc822\nContent-Disposition: inline", `X-HmXmrOriginalRecipient: ada@landlord.example\n${ours}`),
);

/** The samples by their name: the email, and the outcome and status code that it reports for its message. */
export const samples = new Map<string, { email: string; outcome: string }>(
  reports
    .trim()
    .split("\n\n")
    .map((sample) => {
      const [, name = "", outcome = "", fields = ""] = /^(.*?): (.*?)\n(.*)$/s.exec(sample) ?? [];
      const email = /^Feedback-Type/.test(fields) ? complaintOf(fields) : deliveryReportOf(name, fields);
      return [name, { email, outcome }] as const;
    }),
).set("microsoft-complaint", { email: microsoftComplaint, outcome: "complaint" });

/** Returns a sample that reports on the message with this Message-ID, which is given without angle brackets. */
export function reportAbout(name: string, messageId: string): Buffer {
  const email = samples.get(name)?.email ?? "";
  return Buffer.from(email.replace(/^(message-id:\s*)\S+/gim, `$1<${messageId}>`), "latin1");
}
