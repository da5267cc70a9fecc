import type { ApplicationFact, ConsentFact } from "./facts";
import { canariesIn } from "./facts";
import { checkMessages } from "./message-invariants";
import { isDefinitelyRevoked, lastCertain, overlapsOrFollows, type Person, ticked } from "./model";
import type { Operation } from "./scheduler";
import type { World } from "./world";

const dayMs = 86_400_000;

export function checkStep(world: World): void {
  matchApplications(world);
  checkMessages(world);
  for (const person of world.model.persons) {
    const fact = world.facts.applications.find(({ id }) => id === person.application);
    if (!fact) continue;
    checkAnswers(world, person, fact);
    checkSubmission(world, person, fact);
    checkStatus(world, person, fact);
    checkContact(world, person, fact);
  }
  checkLinks(world);
  checkCanaries(world);
}

/** Matches applications to the invited persons, and records erasures. */
function matchApplications(world: World): void {
  const { facts, model } = world;
  for (const fact of facts.applications) {
    const matched = model.persons.find(({ application }) => application === fact.id);
    if (matched) {
      matched.email = fact.invitedEmail || matched.email;
      if (fact.erasedAt && matched.erasedAt !== fact.erasedAt) noteErasure(world, matched, fact);
      continue;
    }
    const person = model.persons.find(({ mobile }) => mobile === fact.invitedMobile);
    // An application that was erased at once cannot be matched to a person.
    if (!person && fact.erasedAt) continue;
    if (!person) world.fail(`Application ${fact.reference} belongs to no invited person.`);
    if (person.application)
      world.fail(`Person ${person.number} was invited once and has two applications, ${person.reference} and another.`);
    person.application = fact.id;
    person.reference = fact.reference;
  }
  for (const person of model.persons) {
    const erased = person.actions.findLast(({ kind, isCertain }) => kind === "erase" && isCertain);
    if (erased && !person.erasedAt)
      world.fail(`Person ${person.number} was erased, but the application does not say so.`);
    if (person.erasedAt && !erased) world.fail(`Person ${person.number} was erased, but by no operation.`);
  }
}

/** Records an erasure that the database shows, even if its command was killed afterwards. */
function noteErasure(world: World, person: Person, fact: ApplicationFact): void {
  person.erasedAt = fact.erasedAt as string;
  const { scheduler } = world;
  const unseen = person.actions.filter(({ kind, isSeen }) => kind === "erase" && !isSeen);
  const erasure = unseen.find(({ isCertain }) => isCertain) ?? unseen[0];
  if (erasure) {
    erasure.isSeen = true;
    erasure.isCertain = true;
    erasure.ended ??= ++scheduler.tick;
    // Of several erasures between two checks, the database shows only the last.
    for (const action of unseen) if (action.isCertain) action.isSeen = true;
    return;
  }
  // A held retention may have erased it after a later retention has ended.
  const retentions = scheduler.operations.filter(({ name }) => name.startsWith("retention"));
  const retention = retentions.findLast((operation) => mayErase(world, person, fact, operation)) ?? retentions.at(-1);
  if (!retention) return;
  if (!mayErase(world, person, fact, retention))
    world.fail(`Erased too early by the ${retention.name} months: ${person.reference}, ${fact.status}.`);
  person.actions.push({
    kind: "erase",
    began: retention.began,
    ended: ++scheduler.tick,
    isCertain: true,
    time: world.now(),
    operation: retention,
    isSeen: true,
  });
}

/** Whether a retention may erase the application: it has the right status and was not changed for that many months. */
function mayErase(world: World, person: Person, { status }: ApplicationFact, retention: Operation): boolean {
  const [, expected, months] = /of (\w+) after (\d+)/.exec(retention.name) ?? [];
  // A suspended retention reads the clock when it resumes, so its months count back from now.
  const cutoff = world.now() - Number(months) * 28 * dayMs;
  // Running a list again does not change those who were invited before.
  const invited = person.actions.find(({ kind }) => kind === "invite");
  // A repeated submission changes nothing either.
  const submitted = person.actions.find(({ kind }) => kind === "submit");
  const isYoung = person.actions.some(
    (action) =>
      (action === invited || action === submitted || changing.includes(action.kind)) &&
      action.isChange !== false &&
      action.ended !== undefined &&
      action.ended < retention.began &&
      action.time > cutoff,
  );
  // A status that was set while the retention was under way may first be seen together with the erasure.
  const hasNewStatus = person.actions.some(
    (action) => action.kind === "status" && overlapsOrFollows(action, retention.began),
  );
  return !isYoung && (status === expected || hasNewStatus);
}

const changing = ["save", "reissue", "status"];

/** Checks that each step was saved completely or not at all, and that acknowledged answers were kept. */
function checkAnswers(world: World, person: Person, fact: ApplicationFact): void {
  for (const [index, values] of fact.steps.entries()) {
    const step = index + 1;
    const found = values.map((value) => canariesIn(value)[0]);
    if (new Set(found.filter((number) => number !== undefined)).size > 1)
      world.fail(`Step ${step} of person ${person.number} holds answers of several saves: ${values.join(", ")}.`);
    const last = person.actions.findLast((action) => isAnswer(action, step) && action.isCertain);
    if (!last?.ended) continue;
    // Only the first of several submissions counts; the others get its receipt.
    if (last.kind === "submit" && person.actions.some((action) => action !== last && action.kind === "submit"))
      continue;
    const { began } = last;
    const isOvertaken = person.actions.some(
      (action) =>
        action !== last && (action.kind === "erase" || isAnswer(action, step)) && overlapsOrFollows(action, began),
    );
    if (!isOvertaken && found[0] !== last.canary)
      world.fail(`Step ${step} of person ${person.number} was saved, but the application holds other answers.`);
  }
}

const isAnswer = ({ kind, step, canary }: Person["actions"][number], stepNumber: number) =>
  (kind === "save" && step === stepNumber) || (kind === "submit" && canary !== undefined);

function checkSubmission(world: World, person: Person, fact: ApplicationFact): void {
  const consents = world.facts.consents.filter(({ application }) => application === fact.id);
  const expected = fact.status === "draft" ? 0 : 1;
  if (consents.length !== expected || fact.submissions !== expected)
    world.fail(
      `${fact.reference} is ${fact.status}, with ${consents.length} consent records and ${fact.submissions} submissions.`,
    );
  if (fact.status === "draft" && lastCertain(person, ["submit"], []))
    world.fail(`Person ${person.number} has submitted, but the application is a draft.`);
  const [consent] = consents;
  if (!consent) return;
  const before = person.consent;
  if (before && before.lasting !== consent.lasting) world.fail(`The consent record of ${fact.reference} has changed.`);
  const contentOf = ({ answers, hash }: ConsentFact) => JSON.stringify([answers, hash]);
  if (before?.answers && consent.answers && contentOf(before) !== contentOf(consent))
    world.fail(`The answers in the consent record of ${fact.reference} have changed.`);
  person.consent = consent;
  if (consent.answers) checkConsent(world, person, fact, consent);
}

function checkConsent(
  world: World,
  person: Person,
  fact: ApplicationFact,
  { reviewed, hash, answers, boxes }: ConsentFact,
): void {
  if (!person.ticked.has(ticked(boxes))) world.fail(`${fact.reference} was submitted with boxes that nobody ticked.`);
  const { firstName = "", email = "" } = answers ?? {};
  if (!firstName || !email) world.fail(`${fact.reference} was submitted without answers.`);
  if (!person.erasedAt && !fact.steps.flat().includes(firstName))
    world.fail(`The consent record of ${fact.reference} holds different answers from the application.`);
  if (!reviewed) return;
  if (!person.reviewed.has(hash)) world.fail(`${fact.reference} was submitted with answers that nobody reviewed.`);
  const view = world.model.views.get(hash);
  const different = Object.entries(answers ?? {}).filter(([name, value]) => view && view[name] !== value);
  if (different.length > 0) world.fail(`${fact.reference}: ${different[0]} is not what was reviewed.`);
}

function checkStatus(world: World, person: Person, fact: ApplicationFact): void {
  const last = lastCertain(person, ["status"], []);
  if (
    !last ||
    person.actions.some(
      (action) => action !== last && action.kind === "status" && overlapsOrFollows(action, last.began),
    )
  )
    return;
  if (fact.status.replace("_", "-") !== last.status)
    world.fail(`${fact.reference} was set to ${last.status} but is ${fact.status}.`);
}

function checkContact(world: World, person: Person, { reference, invitedEmail }: ApplicationFact): void {
  const corrections = person.actions.filter(({ email }) => email !== undefined);
  const last = corrections.findLast(({ isCertain }) => isCertain);
  const changes = person.actions.filter(({ kind, email }) => kind === "erase" || email !== undefined);
  if (!last || changes.some((action) => action !== last && overlapsOrFollows(action, last.began))) return;
  if (invitedEmail !== last.email)
    world.fail(`The contact of ${reference} was corrected, but the old one is still stored.`);
}

/** Checks that no link works after a revocation, a reissue or an erasure. */
function checkLinks(world: World): void {
  const { facts, model, scheduler } = world;
  const live = new Map(facts.links.map(({ hash, application }) => [hash, application]));
  for (const person of model.persons) {
    for (const token of person.tokens)
      if (live.has(token.hash) && isDefinitelyRevoked(person, token, scheduler.tick + 1))
        world.fail(`A link of person ${person.number} works that was handed out before it was withdrawn.`);
    const closed = lastCertain(person, ["revoke", "erase"], ["reissue"]);
    if (closed && facts.links.some(({ application }) => application === person.application))
      world.fail(`A link of person ${person.number} works after a ${closed.kind}.`);
  }
}

/** Checks that no personal value is found after an erasure if it was given before the erasure ended. */
function checkCanaries(world: World): void {
  const { facts, model } = world;
  for (const [number, place] of facts.canaries) {
    const { person, operations = [] } = model.canaries.get(number) ?? {};
    const erased = person?.actions.findLast(({ kind, isCertain, ended }) => kind === "erase" && isCertain && ended);
    const erasureEnded = erased?.ended;
    if (erasureEnded !== undefined && operations.every(({ began }) => began < erasureEnded))
      world.fail(
        `A personal value of person ${person?.number} is in ${place} after the erasure: ${number}, of ${operations[0]?.name}.`,
      );
  }
}
