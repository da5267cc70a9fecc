import { isDeadAddress } from "@/lib/server/channels/bounces/dead-address";

const alive: [cause: string, status: string, reply: string][] = [
  [
    "a sender on a blocklist",
    "5.1.0",
    "550-5.1.0 MailFrom domain is listed in Spamhaus. To request removal see https:",
  ],
  ["a blocklist's address alone", "5.1.3", "553 http://www.spamhaus.org/query/bl?ip=192.0.2.1"],
  ["a status of the reply's own", "5.1.1", "550 5.7.1 IP address blacklisted by recipient"],
  ["a status behind a '#'", "5.1.1", "550 #5.7.1 Not accepted"],
  ["a reply that says to wait", "5.1.1", "451 4.3.0 Mail server error"],
  ["reputation", "5.2.1", "521 5.2.1 Messages from 192.0.2.1 are not accepted: low reputation"],
  ["a rejected sender", "5.1.0", "550 5.1.0 <bounce@mail.example> sender rejected. AUP#CDRBL"],
  ["policy", "5.1.1", "550 5.1.1 Rejected by the policy of this organisation"],
  [
    "policy beside words of an unknown mailbox",
    "",
    "550 Requested action not taken: mailbox unavailable. Reject due to policy",
  ],
  ["authentication", "5.1.0", "550 5.1.0 SPF check failed"],
  ["DMARC", "5.0.0", "550 DMARC check failed, no such domain"],
  ["content", "5.1.1", "554 5.1.1 Your message looks like spam"],
  ["a full mailbox", "5.1.0", "5.1.0 - Unknown address error 550-'5.2.2 <ada@mail.example>... Mailbox Full'"],
  ["quota in several lines", "5.1.1", "550-5.1.1 The account is\r\n550 5.1.1 over quota"],
  ["a rate", "5.2.1", "550-5.2.1 The user is receiving mail at a rate that\n550 5.2.1 prevents delivery"],
  ["a faulty name server", "5.4.4", "Name service error type=MX: Malformed or unexpected name server reply"],
  ["a relay that is not allowed", "5.0.0", "554 <ada@mail.example>: Relay access denied"],
  ["an address that was not verified in time", "4.1.1", "450 4.1.1 Recipient address rejected: unverified address"],
  ["a forbidden recipient", "5.7.1", "554 5.7.1 <ada@mail.example>: Recipient address rejected: Access denied"],
  ["no reason", "5.0.0", ""],
  ["no reason and no status", "", "550 Rejected"],
];
test.each(alive)("an address is not dead because of %s", (_, status, reply) => {
  expect(isDeadAddress(status, reply)).toBe(false);
});

const dead: [cause: string, status: string, reply: string][] = [
  ["its status alone", "5.1.1", ""],
  ["a rejected address", "5.1.0", "550 #5.1.0 Address rejected."],
  ["a rejected recipient", "5.0.0", "550 <ada@mail.example>: Recipient address rejected."],
  ["Exchange Online", "5.4.1", "550 5.4.1 Recipient address rejected: Access denied. [X.prod.protection.outlook.com]"],
  ["Exchange Online about another server", "5.1.351", "550 5.1.351 Remote server returned unknown recipient"],
  ["Outlook.com", "5.5.0", "550 5.5.0 Requested action not taken: mailbox unavailable (S2017062302)."],
  ["Yahoo", "5.0.0", "554 delivery error: dd This user doesn't have a yahoo.com account (ada@yahoo.com) [0]"],
  ["Yahoo's curly apostrophe", "", "554 delivery error: dd This user doesn’t have a yahoo.com account"],
  ["a user who is not found", "5.0.0", "550 User not found"],
  ["an address between the words", "5.0.0", "550 Mailbox <ada@mail.example> does not exist"],
  ["words in two lines", "5.0.0", "550-5.0.0 The account does not\n550-5.0.0 exist"],
  ["a reply without a status", "", "550 Unknown user ada@mail.example"],
  ["an unknown user after days", "4.1.1", "450 4.1.1 <ada@mail.example>: Recipient address rejected: User unknown"],
  ["an unknown host", "5.4.4", "Host or domain name not found. Name service error for name=mail.example"],
  ["an unknown domain", "5.0.0", "unknown; No such domain."],
  ["a name that sounds like a cause", "5.1.1", "550 5.1.1 <policy.spam@full.example>: User unknown"],
  ["a host that sounds like a cause", "5.1.1", "host mx.spamfilter.example[192.0.2.7] said: 550 5.1.1 User unknown"],
  ["a number of an IP address that looks like a status", "5.1.1", "550 5.1.1 User unknown [10.5.7.1]"],
];
test.each(dead)("an address is dead because of %s", (_, status, reply) => {
  expect(isDeadAddress(status, reply)).toBe(true);
});
