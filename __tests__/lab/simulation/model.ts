import { createHash } from "node:crypto";
import type { ConsentFact } from "./facts";
import type { Operation } from "./scheduler";

/** The simulation's own model of the world. It imports none of the app's rules. */

export class Violation extends Error {
  override name = "Violation";
}

const kinds = ["invite", "save", "submit", "revoke", "reissue", "erase", "status", "stop", "lift", "bounce"] as const;
export type Kind = (typeof kinds)[number] | "stray";

/** An action on a person's application, with the ticks at which it began and ended. */
export interface Action {
  kind: Kind;
  began: number;
  /** Undefined while it is under way, and for good if it is unknown whether it was done. */
  ended?: number;
  /** It was acknowledged, or seen in the database. */
  isCertain: boolean;
  /** The simulated time at which it was recorded. */
  time: number;
  step?: number;
  canary?: number;
  status?: string;
  /** For a stop, a bounce or a lift: the address or number concerned. */
  address?: string;
  /** For a correction of the contact: the new email address. */
  email?: string;
  /** For an erasure: the application has been seen as erased. */
  isSeen?: boolean;
  /** For a status: it differs from the status before. */
  isChange?: boolean;
  operation: Operation;
}

export interface Token {
  token: string;
  hash: string;
  /** The tick at which the person got it. */
  handedOut: number;
  /** The simulated time until which it works. */
  expiresAt: number;
  /** The simulated time from which it no longer works: a minute after `expiresAt` if a list gave the expiry to the minute. */
  latestExpiry: number;
  /** The command that issued it; undefined if a message brought it. */
  command: Operation | undefined;
}

/** A person who is invited once, with the application that resulted. */
export interface Person {
  number: number;
  /** The invited address, as the application stores it; a correction changes it. */
  email: string;
  mobile: string;
  sends: boolean;
  actions: Action[];
  tokens: Token[];
  stopCodes: { code: string; address: string }[];
  /** Versions of the answers that a submission said were reviewed. */
  reviewed: Set<string>;
  /** The boxes that the submissions ticked. */
  ticked: Set<string>;
  application?: string;
  reference?: string;
  /** Versions of the answers that calls have returned, oldest first. */
  versions: string[];
  erasedAt?: string;
  consent?: ConsentFact;
}

export interface Model {
  persons: Person[];
  /** For each canary of a personal value, its person and the operations that submitted it. */
  canaries: Map<number, { person: Person; operations: Operation[] }>;
  /** The answers that the product returned, by version. */
  views: Map<string, Record<string, unknown>>;
}

/** The boxes of a submission or a consent record as one comparable string. */
export const ticked = ({ authoriseAgent, provideSelf, confirmLoan }: Record<string, unknown>) =>
  [authoriseAgent, provideSelf, confirmLoan].join(" ");

export function recordCanary({ canaries }: Model, number: number, person: Person, operation: Operation): void {
  const entry = canaries.get(number) ?? { person, operations: [] };
  entry.operations.push(operation);
  canaries.set(number, entry);
}

export function newToken(
  token: string,
  handedOut: number,
  { expiresAt, latestExpiry = expiresAt }: { expiresAt: number; latestExpiry?: number },
  command?: Operation,
): Token {
  return { token, hash: createHash("sha256").update(token).digest("hex"), handedOut, expiresAt, latestExpiry, command };
}

export const overlapsOrFollows = (action: Action, tick: number) => action.ended === undefined || action.ended > tick;

const closing: Kind[] = ["revoke", "reissue", "erase"];

/** Whether a revocation, reissue or erasure began after the token was handed out and was over before `tick`. */
export function isDefinitelyRevoked(person: Person, token: Token, tick: number): boolean {
  return person.actions.some(
    ({ kind, isCertain, began, ended }) =>
      closing.includes(kind) && isCertain && began > token.handedOut && ended !== undefined && ended < tick,
  );
}

/**
 * Whether a revocation, reissue or erasure may have closed the token: it is under way, or ended after the token's command began.
 * It may end before that command does, although Postgres committed it afterwards.
 */
export const mayBeClosed = ({ actions }: Person, { command, handedOut }: Token) =>
  actions.some(
    (action) =>
      closing.includes(action.kind) &&
      action.operation !== command &&
      overlapsOrFollows(action, command?.began ?? handedOut),
  );

/** Whether nothing can have closed the token. With more than ten live links, the product revokes the oldest. */
export function isDefinitelyValid(person: Person, token: Token, now: number): boolean {
  return (
    token.command !== undefined &&
    !mayBeClosed(person, token) &&
    person.tokens.length < 9 &&
    now < token.expiresAt - 60_000
  );
}

/** The last action of `kinds` that had certainly ended before `tick` and that no action of `unless` overlaps or follows. */
export function lastCertain(
  person: Person,
  kinds: Kind[],
  unless: Kind[],
  tick = Number.POSITIVE_INFINITY,
): Action | undefined {
  return person.actions.findLast(
    (action) =>
      kinds.includes(action.kind) &&
      action.isCertain &&
      action.ended !== undefined &&
      action.ended < tick &&
      !person.actions.some(
        (other) => unless.includes(other.kind) && other.began < tick && overlapsOrFollows(other, action.began),
      ),
  );
}

/** The person without the stops, bounces and lifts of other addresses. */
export const withoutOtherAddresses = (person: Person, address: string): Person => ({
  ...person,
  actions: person.actions.filter((action) => action.address === undefined || action.address === address),
});

export const has = (person: Person, ...kinds: Kind[]) => person.actions.some(({ kind }) => kinds.includes(kind));
