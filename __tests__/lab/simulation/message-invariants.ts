import { type StatusAfterSubmission, statuses } from "@/lib/domain/statuses";
import type { MessageFact } from "./facts";
import {
  has,
  type Kind,
  lastCertain,
  mayBeClosed,
  newToken,
  overlapsOrFollows,
  type Person,
  withoutOtherAddresses,
} from "./model";
import type { Contact } from "./providers";
import type { World } from "./world";

const dayMs = 86_400_000;
/** A reminder that is due a day after another, or after an invitation, may be sent a little earlier than a day after it. */
const quietMs = 20 * 3_600_000;

export function checkMessages(world: World): void {
  for (const contact of world.newContacts()) checkContact(world, contact);
  checkTextsInstead(world);
  for (const message of world.facts.messages) {
    if (message.state !== "cancelled" || world.cancelled.has(message.id)) continue;
    world.cancelled.add(message.id);
    const person = world.personOf(message.application);
    if (person && !reasons.some(([words, isTrue]) => words.test(message.error) && isTrue(world, person)))
      world.fail(`Cancelled without a cause (${message.error}): ${message.kind} to person ${person.number}.`);
  }
}

/** The recorded reasons for cancelling a message, each with what must have happened. */
const reasons: [RegExp, (world: World, person: Person) => boolean][] = [
  [/^stopped$/, (_, person) => has(person, "stop", "bounce")],
  [/^submitted$/, (_, person) => has(person, "submit")],
  [/^(erased|)$/, (_, person) => has(person, "erase")],
  [/^revoked$/, (_, person) => has(person, "revoke", "erase", "reissue")],
  [
    /^expired$/,
    (world, person) =>
      // Tokens that were handed out since the last check may be newer than the decision.
      person.tokens
        .filter((token) => token.command && token.handedOut <= world.checkedTick && !mayBeClosed(person, token))
        .every(({ expiresAt }) => expiresAt <= world.now() + 3_600_000),
  ],
  [
    /^(the status has changed|a later email reports this status)$/,
    (_, person) => person.actions.filter(({ kind }) => kind === "status" || kind === "reissue").length > 1,
  ],
  [/^superseded by another invitation or reminder$/, () => true],
  [/^superseded by another email$/, (_, person) => has(person, "reissue")],
  [/^by simulation$/, () => true],
  [/^the contact was corrected$/, (_, { actions }) => actions.some(({ email }) => email !== undefined)],
];

const commercial = ["invitation", "reminder"];
const toInvited = [...commercial, "fresh-link"];
/** Whether the email's text begins with the status that the message reports. */
const reports = (text: string, status: string) =>
  new RegExp(`: ${statuses[status as StatusAfterSubmission].name}$`, "m").test(text);

/** Checks that a provider was rightly contacted, and with the right text. */
function checkContact(world: World, contact: Contact): void {
  const { facts } = world;
  const message = facts.messages.find(({ id }) => id === contact.message);
  if (!message) world.fail(`A message was sent that the database does not hold: ${contact.message}.`);
  const what = `message ${message.kind} ${message.detail} to ${contact.to}`;
  checkTwice(world, contact, message, what);
  if ((world.cancelledAt.get(message.number) ?? Infinity) < contact.decided)
    world.fail(`Sent after an operator had cancelled it: ${what}.`);
  if (contact.isTaken) checkCap(world, contact, what);
  const person = world.personOf(message.application);
  if (!person || contact.channel === "webhook") return;
  noteLinks(person, contact);
  const { decided } = contact;
  // After the erasure of a draft, its link may be reissued. Whoever fills it in again gives an address for messages about it.
  const refilled: Kind[] = toInvited.includes(message.kind) ? [] : ["save", "submit"];
  if (lastCertain(person, ["erase"], refilled, decided)) world.fail(`Sent after the recipient's erasure: ${what}.`);
  if (message.kind === "status" && !reports(contact.text, message.detail))
    world.fail(`The email reports another status: ${what}.`);
  const hasLink = /[?&]token=/.test(contact.text);
  if (hasLink && lastCertain(person, ["revoke"], ["reissue"], decided))
    world.fail(`Sent with a link after the links were revoked: ${what}.`);
  if (toInvited.includes(message.kind) && !isRightAddress(person, contact))
    world.fail(`Sent to an address that was corrected: ${what}.`);
  if (!commercial.includes(message.kind)) return;
  for (const address of [contact.to, person.mobile])
    if (lastCertain(withoutOtherAddresses(person, address), ["stop"], ["lift"], decided))
      world.fail(`Sent after the recipient opted out: ${what}.`);
  if (lastCertain(withoutOtherAddresses(person, contact.to), ["bounce"], ["lift"], decided))
    world.fail(`Sent after the address had bounced: ${what}.`);
  if (message.detail === insteadOfEmail && hasStoppedEmails(person, decided))
    world.fail(`Sent in place of emails that the recipient had stopped: ${what}.`);
  if (lastCertain(person, ["submit"], [], decided)) world.fail(`Sent after the recipient submitted: ${what}.`);
  if (lastCertain(person, ["revoke"], ["reissue"], decided)) world.fail(`Sent after the links were revoked: ${what}.`);
  if (!hadLiveLink(world, contact, message)) world.fail(`Sent after the links had expired: ${what}.`);
  if (message.kind === "reminder" || message.detail === insteadOfEmail) checkBusinessHours(world, contact, what);
  if (message.kind === "reminder") checkReminder(world, contact, message, what);
}

const insteadOfEmail = "instead of an email";

/** Checks that an application gets at most one SMS in place of an email, and only after an email has bounced. */
function checkTextsInstead(world: World): void {
  // A correction of the contact cancels a waiting SMS and enqueues a new one.
  const texts = world.facts.messages.filter(({ detail, state }) => detail === insteadOfEmail && state !== "cancelled");
  for (const { application } of texts) {
    const person = world.personOf(application);
    if (texts.filter((other) => other.application === application).length > 1)
      world.fail(`Person ${person?.number} gets more than one SMS in place of an email.`);
    if (person && !has(person, "bounce")) world.fail(`Person ${person.number} gets an SMS, but no email has bounced.`);
  }
}

/** Whether the recipient had stopped emails. A correction replaces the address, and the new address has no stop. */
const hasStoppedEmails = (person: Person, decided: number) =>
  !person.actions.some(({ email }) => email !== undefined) &&
  lastCertain(withoutOtherAddresses(person, person.email), ["stop"], ["lift"], decided) !== undefined;

/** Whether a link other than the message's own was live when its sender began. */
function hadLiveLink({ facts, startedAt }: World, { operation, time }: Contact, { application }: MessageFact): boolean {
  const started = startedAt.get(operation) ?? time;
  return facts.lifetimes.some(
    (link) => link.application === application && link.ends > started && !(link.begins >= started && link.ends <= time),
  );
}

/** Whether the message goes to the corrected address, or to one whose correction was under way. */
function isRightAddress({ actions }: Person, { to, channel, decided }: Contact): boolean {
  const corrections = actions.filter(({ email }) => email !== undefined);
  const last = corrections.findLast(({ isCertain, ended = Number.POSITIVE_INFINITY }) => isCertain && ended < decided);
  if (!last || channel !== "email") return true;
  return corrections.some(
    (action) => action.email === to && (action === last || overlapsOrFollows(action, last.began)),
  );
}

function checkTwice(world: World, contact: Contact, { channel, number }: MessageFact, what: string): void {
  // A webhook whose answer was lost is sent again; its receiver recognises it by its id (Standard Webhooks).
  if (channel === "webhook") return;
  const { contacts } = world.providers;
  const claimed = contact.operation.began;
  const retriedAt = world.retriedAt.get(number) ?? 0;
  const earlier = contacts
    .slice(0, contacts.indexOf(contact))
    .filter(({ message, isTaken, tick }) => isTaken && message === contact.message && tick > retriedAt);
  if (earlier.length === 0 || !contact.isTaken) return;
  if (channel === "sms") world.fail(`Sent twice: ${what}.`);
  // A sender that was killed or suspended past its lease may have sent the message, and another may then send it again.
  const isRepeat = earlier.every(({ operation, tick }) => tick < claimed && (operation.ended ?? Infinity) > claimed);
  const isAfterFailure = earlier.every(({ operation }) => operation.isDisturbed);
  if (!isRepeat && !isAfterFailure) world.fail(`Sent twice: ${what}.`);
}

/** Whether the sender was suspended past its lease and had recorded nothing when the other sender began its claim. */
function isForgotten(world: World, { operation }: Contact, other: Contact): boolean {
  const { leaseEnds = Number.POSITIVE_INFINITY } = world.sendings.get(operation) ?? {};
  const claimedAt = world.startedAt.get(other.operation) ?? 0;
  const claimBegan = world.sendings.get(other.operation)?.claimBegan ?? other.operation.began;
  return leaseEnds <= claimedAt && (operation.ended ?? Number.POSITIVE_INFINITY) > claimBegan;
}

function checkCap(world: World, contact: Contact, what: string): void {
  if (contact.channel === "webhook") return;
  const counted = world.providers.contacts.filter(
    (other) =>
      other.channel !== "webhook" &&
      other.isTaken &&
      other.tick <= contact.tick &&
      other.time > contact.time - dayMs &&
      !other.operation.isDisturbed &&
      !isForgotten(world, other, contact),
  );
  if (counted.length > world.perDay)
    world.fail(`${counted.length} messages within a day, but only ${world.perDay} allowed: ${what}.`);
}

const office = new Intl.DateTimeFormat("en-AU", {
  timeZone: "Australia/Sydney",
  weekday: "short",
  hour: "numeric",
  hourCycle: "h23",
});

function isOfficeOpen(time: number): boolean {
  const parts = Object.fromEntries(office.formatToParts(time).map(({ type, value }) => [type, value]));
  return !["Sat", "Sun"].includes(parts.weekday ?? "") && Number(parts.hour) >= 9 && Number(parts.hour) < 17;
}

function checkBusinessHours(world: World, contact: Contact, what: string): void {
  const started = world.startedAt.get(contact.operation) ?? contact.time;
  if (!isOfficeOpen(contact.time) && !isOfficeOpen(started)) world.fail(`Sent outside business hours: ${what}.`);
}

function checkReminder(world: World, contact: Contact, { application }: MessageFact, what: string): void {
  const others = world.facts.messages.filter(
    (fact) => commercial.includes(fact.kind) && fact.application === application,
  );
  const another = world.providers.contacts.find(
    (other) =>
      other.message !== contact.message &&
      others.some(({ id }) => id === other.message) &&
      other.isTaken &&
      other.to === contact.to &&
      other.tick < contact.tick &&
      other.time > contact.time - quietMs &&
      !other.operation.isDisturbed &&
      !isForgotten(world, other, contact),
  );
  if (another) world.fail(`A reminder within a day of another or of an invitation: ${what}.`);
}

/** Records the links and stop codes that a message brings to its recipient. */
function noteLinks(person: Person, contact: Contact): void {
  if (!contact.isTaken) return;
  const expiries = person.tokens.map(({ expiresAt }) => expiresAt);
  const until = Math.max(contact.time + 30 * dayMs, ...expiries);
  for (const [, token = ""] of contact.text.matchAll(/[?&]token=([\w-]{43})/g))
    if (!person.tokens.some((known) => known.token === token))
      person.tokens.push(newToken(token, contact.tick, { expiresAt: until }));
  for (const [, code = ""] of contact.text.matchAll(/\/stop\?code=([\w-]{30})/g))
    person.stopCodes.push({ code, address: contact.to });
}
