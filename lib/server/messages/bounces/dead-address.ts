/**
 * The host or mailbox does not exist, the mailbox is closed (RFC 3463), or the domain accepts no mail (5.1.10, RFC 7505). A full
 * mailbox or a receiver's rule may change.
 */
const deadAddress = /^5\.(1\.([01236]|10)|2\.1|4\.4)$/;
/** Decides when the status only says that delivery failed (5.0.0), as Courier and Exim write it. */
const unknownUser = /unknown user|user unknown|no such user|does(n't| not) exist/i;

/**
 * Decides against the status: Gmail gives a mailbox that gets too much mail the status of a closed one, 5.2.1
 * (support.google.com/a/answer/3726730), Amazon SES gives a full one that of an unknown one, 5.1.0, and Postfix gives a domain
 * whose name servers answer wrongly that of a missing one, 5.4.4.
 */
const mayRecover = /at a rate|too quickly|mailbox full|\b5\.2\.2\b|unexpected name server reply/i;

/** Judges a permanent failure by its status (RFC 3463) and the receiver's reply. A rejected sender gets the same codes. */
export function isDeadAddress(status: string, reason: string): boolean {
  if (/\bsender\b/i.test(reason) || mayRecover.test(reason)) return false;
  return deadAddress.test(status) || (status === "5.0.0" && unknownUser.test(reason));
}
