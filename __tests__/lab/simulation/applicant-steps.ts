import fc from "fast-check";
import { agent, consent, landlord, lease } from "@/__tests__/support/answers";
import { saveAgent, saveLandlord, saveLease, submitFinal, submitWhole, verify } from "@/__tests__/support/calls";
import { post } from "@/__tests__/support/post";
import { POST as freshLink } from "@/app/api/v1/user/fresh-link/route";
import { consentInForce } from "@/lib/server/evidence/consent-in-force";
import { readiness } from "@/lib/server/http/readiness";
import {
  expectNoError,
  hasPersons,
  holdCall as hold,
  mayBeErasing,
  personNumber,
  runAction,
  selectPerson,
  step,
} from "./command";
import { canary, canaryPhone } from "./facts";
import { isDefinitelyRevoked, isDefinitelyValid, type Kind, type Person, type Token, ticked } from "./model";
import type { Operation } from "./scheduler";
import type { World } from "./world";

type Answer = Awaited<ReturnType<typeof post>>;

/** The answers of a step. Personal values carry the canary `number`, except the invited mobile and email address. */
function answersOf(person: Person, stepNumber: number, number: number): Record<string, string> {
  const word = canary(number);
  const email = `${word}@canary.example`;
  if (stepNumber === 1)
    return {
      ...landlord,
      firstName: word,
      lastName: word,
      mobile: person.mobile,
      // Every other save uses the invited address: only a confirmation to that address carries a link.
      email: (number % 2 === 0 && person.email) || email,
      propertyAddress: `1 ${word} Lane`,
      source: "",
    };
  if (stepNumber === 2)
    return {
      ...agent,
      agencyName: `${word} Homes`,
      managerFirstName: word,
      managerLastName: word,
      contactNumber: canaryPhone(number),
      managerEmail: email,
    };
  return { ...lease };
}

const which = fc.nat({ max: 6 });
const tokenOf = ({ tokens }: Person, number: number) => tokens[tokens.length - 1 - (number % tokens.length)] as Token;
const hasToken = (world: World, values: { personNumber: number }) =>
  hasPersons(world) && selectPerson(world, values.personNumber).tokens.length > 0;

interface Applying {
  personNumber: number;
  which: number;
}

const hasNotSubmitted = ({ actions }: Person) => !actions.some(({ kind }) => kind === "submit");
/** Every other time, a person who has not submitted, because a race with a submission needs a draft. */
const applicant = (world: World, values: Applying) =>
  selectPerson(world, values.personNumber, values.which % 2 === 0 ? hasNotSubmitted : undefined);
const canApply = (world: World, values: Applying) => hasPersons(world) && applicant(world, values).tokens.length > 0;

interface Call {
  name: string;
  kind?: Kind;
  step?: number;
  canary?: number;
  hold: number;
  handler: Parameters<typeof post>[0];
  data?: unknown;
  /** Expected statuses besides 200 and 401. */
  allowed?: number[];
  onSuccess?: (answer: Answer, operation: Operation) => void;
}

/** Makes a call with a person's token, and checks that its answer fits the token. */
async function call(
  world: World,
  person: Person,
  token: Token,
  { name, kind, handler, data, ...options }: Call,
): Promise<void> {
  const ended = (operation: Operation, answer?: Answer): boolean => {
    expectNoError(world, operation);
    const status = answer?.status ?? 0;
    const isAllowed =
      [200, 401, ...(options.allowed ?? [])].includes(status) || (operation.isDisturbed && status === 503);
    if (answer && !isAllowed) world.fail(`${operation.name} returned ${status}: ${answer.body.message}`);
    if (status === 200 && isDefinitelyRevoked(person, token, operation.began))
      world.fail(`A revoked link worked: ${operation.name}.`);
    if (status === 200 && world.now() > token.latestExpiry + 60_000 && startedLate(world, operation, token))
      world.fail(`An expired link worked: ${operation.name}.`);
    if (status === 401 && isDefinitelyValid(person, token, world.now()) && !mayBeErasing(world))
      world.fail(`A live link was refused: ${operation.name}.`);
    if (status === 200 && answer) options.onSuccess?.(answer, operation);
    return status === 200;
  };
  const work = () => post(handler, { token: token.token, data });
  const { hold } = options;
  if (kind)
    return runAction(
      world,
      person,
      { kind, step: options.step, canary: options.canary },
      { name, hold, identity: "app" },
      work,
      ended,
    );
  await world.run({ name: `${name} of person ${person.number}`, holdBefore: hold }, work, (operation, answer) => {
    ended(operation, answer);
  });
}

const startedLate = (world: World, operation: Operation, token: Token) =>
  (world.startedAt.get(operation) ?? 0) > token.latestExpiry + 60_000;

/** Records the answers that a call returned, so that a submission can report them as reviewed. */
const noteView = (world: World, person: Person) => (answer: Answer) => {
  const view = answer.body.data ?? {};
  if (typeof view.version !== "string") return;
  person.versions.push(view.version);
  world.model.views.set(view.version, view);
};

const saves = [saveLandlord, saveAgent, saveLease];

export async function save(
  world: World,
  person: Person,
  token: Token,
  stepNumber: number,
  holdBefore: number,
): Promise<void> {
  const number = world.nextNumber();
  await call(world, person, token, {
    name: `save of step ${stepNumber}`,
    kind: "save",
    step: stepNumber,
    hold: holdBefore,
    allowed: [409],
    ...(stepNumber < 3 ? { canary: number } : {}),
    handler: saves[stepNumber - 1] as (typeof saves)[number],
    data: answersOf(person, stepNumber, number),
    onSuccess: noteView(world, person),
  });
}

const opens = step(
  "open",
  { personNumber, which, hold },
  async (world, values) => {
    const person = selectPerson(world, values.personNumber);
    await call(world, person, tokenOf(person, values.which), {
      name: "open",
      handler: verify,
      hold: values.hold,
      onSuccess: noteView(world, person),
    });
  },
  hasToken,
);

const savesStep = step(
  "save",
  { personNumber, which, stepNumber: fc.integer({ min: 1, max: 3 }), hold },
  async (world, values) => {
    const person = applicant(world, values);
    await save(world, person, tokenOf(person, values.which), values.stepNumber, values.hold);
  },
  canApply,
);

export async function fillInAll(world: World, person: Person, token: Token): Promise<void> {
  for (const number of [1, 2, 3]) await save(world, person, token, number, 0);
}

export async function fillIn(world: World, values: Applying): Promise<void> {
  const person = applicant(world, values);
  await fillInAll(world, person, tokenOf(person, values.which));
}

const fillsIn = step("fill in", { personNumber, which }, fillIn, canApply);

const submitsFinal = step(
  "submit",
  { personNumber, which, reviewed: fc.constantFrom("nothing", "latest", "latest", "earlier"), hold },
  async (world, values) => {
    const person = applicant(world, values);
    const { versions } = person;
    const version = { nothing: undefined, latest: versions.at(-1), earlier: versions[0] }[values.reviewed];
    const reviewed = version && { answers: version, consent: consentInForce().hash };
    if (reviewed) person.reviewed.add(reviewed.answers);
    person.ticked.add(ticked(consent));
    await call(world, person, tokenOf(person, values.which), {
      name: "submit",
      kind: "submit",
      hold: values.hold,
      allowed: [409, 422],
      handler: submitFinal,
      data: { ...consent, ...(reviewed ? { reviewed } : {}) },
    });
  },
  canApply,
);

export async function submitAllOf(world: World, person: Person, token: Token, holdBefore: number): Promise<void> {
  const number = world.nextNumber();
  const boxes = { ...consent, authoriseAgent: false, provideSelf: true };
  person.ticked.add(ticked(boxes));
  const data = Object.assign({}, ...[1, 2, 3].map((stepNumber) => answersOf(person, stepNumber, number)), boxes);
  const kind = { name: "whole submission", kind: "submit" } as const;
  const how = { ...kind, hold: holdBefore, canary: number, handler: submitWhole, data };
  await call(world, person, token, how);
}

export async function submitAll(world: World, values: Applying & { hold: number }): Promise<void> {
  const person = applicant(world, values);
  await submitAllOf(world, person, tokenOf(person, values.which), values.hold);
}

const submitsWhole = step("submit whole", { personNumber, which, hold }, submitAll, canApply);

const asksForFreshLink = step(
  "ask for a fresh link",
  { personNumber, which, hold },
  async (world, values) => {
    const person = selectPerson(world, values.personNumber);
    await readiness();
    const operation = { name: `fresh link of person ${person.number}`, holdBefore: values.hold };
    const work = () => post(freshLink, { token: tokenOf(person, values.which).token });
    await world.run(operation, work, (ended, answer) => {
      expectNoError(world, ended);
      if (answer && answer.status !== 202 && !ended.isDisturbed)
        world.fail(`The request for a fresh link returned ${answer.status}.`);
    });
  },
  hasToken,
);

export const applicantSteps = [opens, savesStep, fillsIn, submitsFinal, submitsWhole, asksForFreshLink];
