/** Codes of RFC 3463, wherever they stand in a reply; never a part of an IP address. */
const statuses = /(?<![\d.])[245]\.\d{1,3}\.\d{1,3}(?!\.?\d)/g;

/**
 * The host or mailbox does not exist, the mailbox is closed (RFC 3463), or the domain accepts no mail (5.1.10, RFC 7505).
 */
const deadAddress = /^5\.(1\.([01236]|10)|2\.1|4\.4)$/;

/**
 * The address may be right: a failure that may pass (but for an unknown user, 4.1.1), a wrong sender, a full mailbox, a message
 * that is too large, its content, or security and policy.
 */
const otherStatus = /^(4\.(?!1\.1$)|5\.(1\.[78]$|2\.[23]$|3\.4$|[67]\.))/;

/**
 * Words of other causes. They decide against the status, because receivers give the codes of an unknown mailbox to a sender on
 * a blocklist, to a full mailbox (Amazon SES, 5.1.0) or one that gets too much mail (Gmail, 5.2.1), and to a domain whose name
 * servers answer wrongly (Postfix, 5.4.4).
 */
const otherCauses = [
  // Reputation: the names of many blocklists end in 'bl'.
  /(black|block|deny)[ -]?list|spam|\b\w{0,9}bl\b|sorbs|barracuda|cloudmark|uceprotect|abuse|reputation|complain/i,
  /(?<!not )\blisted\b|\bban(ned)?\b|\bblocked\b|client host|\bip\b|\bptr\b|reverse dns|\b(helo|ehlo)\b|\baup#/i,
  // The sender and policy
  /\bsenders?\b|\bmail[ -]?from\b|envelope|return[ -]?(path|address)|\byour (host|domain|server|network)\b/i,
  /polic(y|ies)|not (allowed|permitted|authori[sz]ed)|prohibited|restrict|relay|gr[ea]y-?list|filter/i,
  /(?<!address rejected: )access denied/i,
  // Authentication
  /\b(spf|dkim|dmarc)\b|authenticat/i,
  // Content
  /unsolicited|suspicious|virus|malware|phish|content|attachment|header|protocol|accept delivery of this message/i,
  /\bmessage (was |has been |is )?(rejected|refused|denied|too)\b/i,
  // Quota and load
  /quota|\bfull\b|storage|disk space|exceed|\blimit|at a rate|frequency|too (many|much|fast|quickly|large|big)/i,
  /temporar|\blater\b|timed? ?out|unexpected name server reply/i,
];

/** Words of an unknown mailbox or host. They decide where the status says no more than that delivery failed. */
const unknownAddress = [
  /\b(unknown|invalid|no such|no|not a valid) (local )?(user|recipient|mailbox|address|account)/i,
  /\b(user|recipient|mailbox|address|account)( \S{1,64})?( is)? (unknown|invalid|not (found|known|valid))/i,
  /\b(no such|unknown) (host|domain)|\b(host|domain)( name)? (unknown|not found)|nxdomain/i,
  /\b(not|n['’]t) exist|\bnon-?exist|no longer (exist|valid|in use)|unrout(e)?able|recipient\w{0,9}not ?found/i,
  /does(n['’]t| not) have an? (\S{1,255} )?(account|mailbox)|not our customer|not listed in (the )?\w+ directory/i,
  /\bmailbox (is )?(unavailable|not available)\b|\bbad-(mailbox|domain)\b/i,
  // Exchange Online says 'Access denied' for a mailbox that does not exist.
  /recipient address rejected(?!:(?! access denied))/i,
];

/** The most of a reply that is judged. */
const maxLength = 4000;

/** Leaves out addresses and hosts, whose names could pass for words, and the codes at the beginning of each line. */
function wordsOf(reply: string): string {
  return reply
    .slice(0, maxLength)
    .split(/(?=<)|(?<=>)|(?=\s)/)
    .filter((word) => !word.includes("@"))
    .join("")
    .replace(/\bhost \S+ said:/g, " ")
    .replace(/\b[245]\d\d[ -]#?([245]\.\d{1,3}\.\d{1,3}\b)?/g, " ")
    .replace(/\s+/g, " ");
}

/**
 * Returns the status that decides about a permanent failure. A status in the receiver's reply decides if it names another cause,
 * or if the reported one says no more than that delivery failed (x.0.0).
 */
export function decidingStatus(reported: string, reply: string): string {
  const own: string[] = reply.slice(0, maxLength).match(statuses) ?? [];
  const isDetailed = reported !== "" && !reported.endsWith(".0.0");
  return own.find((status) => otherStatus.test(status)) ?? (isDetailed ? reported : (own[0] ?? reported));
}

/** Whether a permanent failure has another cause than the address, by its status (RFC 3463) and the receiver's reply. */
export function hasOtherCause(reported: string, reply: string): boolean {
  const words = wordsOf(reply);
  return otherStatus.test(decidingStatus(reported, reply)) || otherCauses.some((cause) => cause.test(words));
}

/** Whether a permanent failure means that no message can ever reach the address. */
export function isDeadAddress(reported: string, reply: string): boolean {
  if (hasOtherCause(reported, reply)) return false;
  const words = wordsOf(reply);
  return deadAddress.test(decidingStatus(reported, reply)) || unknownAddress.some((unknown) => unknown.test(words));
}
