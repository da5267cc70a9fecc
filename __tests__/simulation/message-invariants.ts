import type { MessageFact } from "./facts";
import { has, mayBeClosed, newToken, overlapsOrFollows, type Person, reachedAt, surely } from "./model";
import type { Contact } from "./providers";
import type { World } from "./world";

const dayMs = 86_400_000;

/** What has to hold of messages after each step. */
export function checkMessages(world: World): void {
  for (const contact of world.newContacts()) checkContact(world, contact);
  checkTextsInstead(world);
  for (const message of world.facts.messages) {
    if (message.state !== "cancelled" || world.cancelled.has(message.id)) continue;
    world.cancelled.add(message.id);
    const person = world.personOf(message.application);
    if (person && !reasons.some(([words, isTrue]) => words.test(message.error) && isTrue(world, person)))
      world.fail(`It was not sent, for no reason (${message.error}): ${message.kind} to person ${person.number}.`);
  }
}

/** Why a message is not sent, and what has to have happened. */
const reasons: [RegExp, (world: World, person: Person) => boolean][] = [
  [/^stopped$/, (_, person) => has(person, "stop", "bounce")],
  [/^submitted$/, (_, person) => has(person, "submit")],
  [/^(erased|)$/, (_, person) => has(person, "erase")],
  [/^revoked$/, (_, person) => has(person, "revoke", "erase", "reissue")],
  [
    /^expired$/,
    (world, person) =>
      // Those that were handed out since the last look may be younger than the decision.
      person.tokens
        .filter((token) => token.isFromCommand && token.handedOut <= world.checkedTick && !mayBeClosed(person, token))
        .every(({ expiresAt }) => expiresAt <= world.now() + 3_600_000),
  ],
  [
    /^(the status has changed|a later email reports this status)$/,
    (_, person) => person.deeds.filter(({ kind }) => kind === "status" || kind === "reissue").length > 1,
  ],
  [/^one of them is enough$/, () => true],
  [/^the contact was corrected$/, (_, { deeds }) => deeds.some(({ email }) => email !== undefined)],
];

const commercial = ["invitation", "reminder"];
const toInvited = [...commercial, "fresh-link"];
const statusHeadings: Record<string, RegExp> = {
  submitted: /: Received$/m,
  "in-review": /: In review$/m,
  approved: /: Approved$/m,
  declined: /: Declined$/m,
};

/** A sender has contacted a provider: it should have, and with this text. */
function checkContact(world: World, contact: Contact): void {
  const { facts } = world;
  const message = facts.messages.find(({ id }) => id === contact.message);
  if (!message) world.fail(`A message was sent that is nowhere: ${contact.message}.`);
  const what = `message ${message.kind} ${message.detail} to ${contact.to}`;
  checkTwice(world, contact, message, what);
  if (contact.isTaken) checkCap(world, contact, what);
  const person = world.personOf(message.application);
  if (!person || contact.channel === "webhook") return;
  noteLinks(person, contact);
  const { decided } = contact;
  if (surely(person, ["erase"], [], decided)) world.fail(`After the erasure of its reader: ${what}.`);
  if (message.kind === "status" && !statusHeadings[message.detail]?.test(contact.text))
    world.fail(`It reports another status: ${what}.`);
  const hasLink = /[?&]token=/.test(contact.text);
  if (hasLink && surely(person, ["revoke"], ["reissue"], decided))
    world.fail(`With a link after the links were withdrawn: ${what}.`);
  if (toInvited.includes(message.kind) && !isRightAddress(person, contact))
    world.fail(`To an address that was corrected: ${what}.`);
  if (!commercial.includes(message.kind)) return;
  if (surely(reachedAt(person, contact.to), ["stop"], ["lift"], decided))
    world.fail(`After its reader stopped them: ${what}.`);
  if (surely(reachedAt(person, contact.to), ["bounce"], ["lift"], decided))
    world.fail(`After its address had bounced: ${what}.`);
  if (message.detail === insteadOfEmail && hasStoppedEmails(person, decided))
    world.fail(`In place of emails that its reader had stopped: ${what}.`);
  if (surely(person, ["submit"], [], decided)) world.fail(`After its reader submitted: ${what}.`);
  if (surely(person, ["revoke"], ["reissue"], decided)) world.fail(`After the links were withdrawn: ${what}.`);
  if (!hadLiveLink(world, contact, message)) world.fail(`After the links had expired: ${what}.`);
  if (message.kind === "reminder") checkReminder(world, contact, message, what);
}

const insteadOfEmail = "instead of an email";

/** One at most for an application, and only where an email has bounced. */
function checkTextsInstead(world: World): void {
  // A correction of the contact cancels one that waits, and queues it anew.
  const texts = world.facts.messages.filter(({ detail, state }) => detail === insteadOfEmail && state !== "cancelled");
  for (const { application } of texts) {
    const person = world.personOf(application);
    if (texts.filter((other) => other.application === application).length > 1)
      world.fail(`Person ${person?.number} gets more than one text in place of an email.`);
    if (person && !has(person, "bounce")) world.fail(`Person ${person.number} gets a text, and no email has bounced.`);
  }
}

/** A correction gives another address, whose reader has stopped nothing. */
const hasStoppedEmails = (person: Person, decided: number) =>
  !person.deeds.some(({ email }) => email !== undefined) &&
  surely(reachedAt(person, person.email), ["stop"], ["lift"], decided) !== undefined;

/** A link, but for the one that the message itself carries, worked when its sender began. */
function hadLiveLink({ facts, startedAt }: World, { operation, time }: Contact, { application }: MessageFact): boolean {
  const started = startedAt.get(operation) ?? time;
  return facts.lifetimes.some(
    (one) => one.application === application && one.ends > started && !(one.begins >= started && one.ends <= time),
  );
}

/** It goes to the corrected address, or to one whose correction was under way. */
function isRightAddress({ deeds }: Person, { to, channel, decided }: Contact): boolean {
  const corrections = deeds.filter(({ email }) => email !== undefined);
  const last = corrections.findLast(({ isSure, ended = Number.POSITIVE_INFINITY }) => isSure && ended < decided);
  if (!last || channel !== "email") return true;
  return corrections.some((one) => one.email === to && (one === last || overlapsOrFollows(one, last.began)));
}

function checkTwice(world: World, contact: Contact, { channel }: MessageFact, what: string): void {
  // A webhook whose answer was lost is sent again: its receiver knows it by its id (Standard Webhooks).
  if (channel === "webhook") return;
  const { contacts } = world.providers;
  const claimed = contact.operation.began;
  const earlier = contacts
    .slice(0, contacts.indexOf(contact))
    .filter(({ message, isTaken }) => isTaken && message === contact.message);
  if (earlier.length === 0 || !contact.isTaken) return;
  if (channel === "sms") world.fail(`Sent twice: ${what}.`);
  // A sender that was killed, or suspended past its lease, may have sent it; another may then send it once more.
  const isRepeat = earlier.every(({ operation, tick }) => tick < claimed && (operation.ended ?? Infinity) > claimed);
  const isAfterFailure = earlier.every(({ operation }) => operation.isDisturbed);
  if (!isRepeat && !isAfterFailure) world.fail(`Sent twice: ${what}.`);
}

/** Its sender was suspended past its lease, and had recorded nothing when the other one began to claim. */
function isForgotten(world: World, { operation }: Contact, other: Contact): boolean {
  const { leaseEnds = Number.POSITIVE_INFINITY } = world.sendings.get(operation) ?? {};
  const claimedAt = world.startedAt.get(other.operation) ?? 0;
  const claimBegan = world.sendings.get(other.operation)?.claimBegan ?? other.operation.began;
  return leaseEnds <= claimedAt && (operation.ended ?? Number.POSITIVE_INFINITY) > claimBegan;
}

function checkCap(world: World, contact: Contact, what: string): void {
  if (contact.channel === "webhook") return;
  const counted = world.providers.contacts.filter(
    (one) =>
      one.channel !== "webhook" &&
      one.isTaken &&
      one.tick <= contact.tick &&
      one.time > contact.time - dayMs &&
      !one.operation.isDisturbed &&
      !isForgotten(world, one, contact),
  );
  if (counted.length > world.perDay)
    world.fail(`${counted.length} in a day, and ${world.perDay} are allowed: ${what}.`);
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

function checkReminder(world: World, contact: Contact, { application }: MessageFact, what: string): void {
  const started = world.startedAt.get(contact.operation) ?? contact.time;
  if (!isOfficeOpen(contact.time) && !isOfficeOpen(started)) world.fail(`Outside business hours: ${what}.`);
  const reminders = world.facts.messages.filter((one) => one.kind === "reminder" && one.application === application);
  const another = world.providers.contacts.find(
    (one) =>
      one.message !== contact.message &&
      reminders.some(({ id }) => id === one.message) &&
      one.isTaken &&
      one.to === contact.to &&
      one.tick < contact.tick &&
      one.time > contact.time - dayMs &&
      !one.operation.isDisturbed &&
      !isForgotten(world, one, contact),
  );
  if (another) world.fail(`Two reminders within a day: ${what}.`);
}

/** Links and stop codes reach people in messages. */
function noteLinks(person: Person, contact: Contact): void {
  if (!contact.isTaken) return;
  const known = person.tokens.map(({ expiresAt }) => expiresAt);
  const until = Math.max(contact.time + 30 * dayMs, ...known);
  for (const [, token = ""] of contact.text.matchAll(/[?&]token=([\w-]{43})/g))
    if (!person.tokens.some((one) => one.token === token))
      person.tokens.push(newToken(token, contact.tick, { expiresAt: until }, false));
  for (const [, code = ""] of contact.text.matchAll(/\/stop\?code=([\w-]{30})/g))
    person.stopCodes.push({ code, address: contact.to });
}
