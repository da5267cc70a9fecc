import { createHash } from "node:crypto";
import type { ConsentFact } from "./facts";
import type { Operation } from "./scheduler";

/** What the simulation knows of the world by itself. It imports none of the product's rules. */

export class Violation extends Error {
  override name = "Violation";
}

export type Kind =
  | "invite"
  | "save"
  | "submit"
  | "revoke"
  | "reissue"
  | "erase"
  | "status"
  | "stop"
  | "lift"
  | "bounce"
  | "stray";

/** Something that was done about a person, from when to when, in ticks. */
export interface Deed {
  kind: Kind;
  began: number;
  /** Undefined while it goes on, and for ever if nobody knows whether it was done. */
  ended?: number;
  /** It was acknowledged, or seen in the database. */
  isSure: boolean;
  /** By the simulated clock. */
  time: number;
  step?: number;
  mark?: number;
  status?: string;
  /** Of a stop or a bounce, and of what lifts it: for which address or number. */
  address?: string;
  /** Of a corrected contact: the right address. */
  email?: string;
  /** An erasure whose time the application shows. */
  isSeen?: boolean;
  /** The status was another before. */
  isChange?: boolean;
  operation: Operation;
}

export interface Token {
  token: string;
  hash: string;
  /** When somebody got it, in ticks. */
  handedOut: number;
  /** Until then it works. */
  expiresAt: number;
  /** After that it does not: later than `expiresAt` where only a day was named. */
  overAt: number;
  isFromCommand: boolean;
}

/** Somebody who is invited once, and the application that came of it. */
export interface Person {
  number: number;
  /** As the application has it, which a correction changes. */
  email: string;
  mobile: string;
  batch: string;
  sends: boolean;
  deeds: Deed[];
  tokens: Token[];
  stopCodes: { code: string; address: string }[];
  /** Versions of the answers that a submission said were reviewed. */
  reviewed: Set<string>;
  /** The boxes of each submission. */
  ticked: Set<string>;
  application?: string;
  reference?: string;
  /** Of the answers, as calls have shown them. */
  versions: string[];
  erasedAt?: string;
  consent?: ConsentFact;
}

export interface Model {
  persons: Person[];
  /** Whose a personal value is, and which operations gave it. */
  marks: Map<number, { person: Person; operations: Operation[] }>;
  /** The answers as the product showed them, by version. */
  views: Map<string, Record<string, unknown>>;
}

/** Boxes of a submission or a consent record, as they are compared. */
export const ticked = ({ authoriseAgent, provideSelf, confirmLoan }: Record<string, unknown>) =>
  [authoriseAgent, provideSelf, confirmLoan].join(" ");

export function noteMark({ marks }: Model, number: number, person: Person, operation: Operation): void {
  const known = marks.get(number) ?? { person, operations: [] };
  known.operations.push(operation);
  marks.set(number, known);
}

export function newToken(
  token: string,
  handedOut: number,
  { expiresAt, overAt = expiresAt }: { expiresAt: number; overAt?: number },
  isFromCommand: boolean,
): Token {
  return {
    token,
    hash: createHash("sha256").update(token).digest("hex"),
    handedOut,
    expiresAt,
    overAt,
    isFromCommand,
  };
}

export const overlapsOrFollows = (deed: Deed, tick: number) => deed.ended === undefined || deed.ended > tick;

const closing: Kind[] = ["revoke", "reissue", "erase"];

/** A revocation, a reissue or an erasure that was over at `tick` had begun after somebody got the token. */
export function isSurelyDead(person: Person, token: Token, tick: number): boolean {
  return person.deeds.some(
    ({ kind, isSure, began, ended }) =>
      closing.includes(kind) && isSure && began > token.handedOut && ended !== undefined && ended < tick,
  );
}

/** Something that was done since somebody got the token, or goes on, may have ended it. */
export const mayBeClosed = (person: Person, token: Token) =>
  person.deeds.some((deed) => closing.includes(deed.kind) && overlapsOrFollows(deed, token.handedOut));

/** Nothing has happened that may have ended it. Beyond ten links the oldest goes. */
export function isSurelyAlive(person: Person, token: Token, now: number): boolean {
  return (
    token.isFromCommand && !mayBeClosed(person, token) && person.tokens.length < 9 && now < token.expiresAt - 60_000
  );
}

/** The last of these deeds that was surely over at `tick`, if none of the others overlaps or follows it. */
export function surely(
  person: Person,
  kinds: Kind[],
  unless: Kind[],
  tick = Number.POSITIVE_INFINITY,
): Deed | undefined {
  return person.deeds.findLast(
    (deed) =>
      kinds.includes(deed.kind) &&
      deed.isSure &&
      deed.ended !== undefined &&
      deed.ended < tick &&
      !person.deeds.some(
        (other) => unless.includes(other.kind) && other.began < tick && overlapsOrFollows(other, deed.began),
      ),
  );
}

/** The person, as far as messages to this address are concerned: others may be stopped. */
export const reachedAt = (person: Person, address: string): Person => ({
  ...person,
  deeds: person.deeds.filter((deed) => deed.address === undefined || deed.address === address),
});

export const has = (person: Person, ...kinds: Kind[]) => person.deeds.some(({ kind }) => kinds.includes(kind));
