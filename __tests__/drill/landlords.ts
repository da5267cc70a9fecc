import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { parse } from "csv-parse/sync";
import type { Client } from "pg";
import { Broken } from "@/__tests__/promises/support/expect";
import { consent } from "@/__tests__/support/answers";
import { type Answer, type Call, call, steps } from "@/__tests__/support/processes/call";
import { several } from "@/__tests__/support/processes/several";
import { hashToken } from "@/lib/server/links/token";

/** All that the product has acknowledged about one landlord. */
export interface Landlord {
  reference: string;
  token: string;
  mobile: string;
  /** Answers by column, as they were last acknowledged. */
  saved: Record<string, string>;
  status: string;
  /** When it was submitted, as its receipt says. */
  submittedAt?: string;
  /** Events of operations, such as 'status_changed approved Ines Rent is proven'. */
  done: string[];
  isErased: boolean;
}

/** The landlords whose links a file has. */
export function readLinks(file: string): Landlord[] {
  const rows: Record<string, string>[] = parse(readFileSync(file, "utf8"), { columns: true, bom: true });
  return rows.map(({ reference = "", link = "", mobile = "" }) => {
    const token = new URL(link).searchParams.get("token") ?? "";
    const person = { reference, token, mobile: mobile.replace(/^0/, "61") };
    return { ...person, saved: {}, status: "draft", done: [], isErased: false };
  });
}

const everything = `
  SELECT to_jsonb(a) AS row,
    (SELECT string_agg(encode(t."tokenHash", 'hex'), ',') FROM links l JOIN link_tokens t ON t."linkId" = l.id
     WHERE l."applicationId" = a.id) AS hashes,
    (SELECT count(*)::int FROM consent_records c WHERE c."applicationId" = a.id) AS consents,
    (SELECT coalesce(json_agg(concat_ws(' ', kind, nullif(detail, ''), by, nullif(reason, '')) ORDER BY e.id), '[]')
     FROM events e WHERE e."applicationId" = a.id) AS events
  FROM applications a`;

interface Stored {
  row: Record<string, unknown>;
  hashes: string | null;
  consents: number;
  events: string[];
}

/** What a database lacks of what was acknowledged, each loss as a line. */
export async function lostIn(client: Client, landlords: Landlord[]): Promise<string[]> {
  const { rows } = await client.query<Stored>(everything);
  const stored = new Map(rows.map((one) => [one.row.reference, one]));
  const lost = landlords.flatMap((landlord) => {
    const found = stored.get(landlord.reference);
    const missing = found ? lossesOf(landlord, found) : ["the application is missing"];
    return missing.map((what) => `${landlord.reference}: ${what}`);
  });
  const surplus = rows.length - landlords.length;
  return surplus > 0 ? [...lost, `${surplus} applications that nobody acknowledged`] : lost;
}

function lossesOf(landlord: Landlord, { row, hashes, consents, events }: Stored): string[] {
  const { token, mobile, saved, submittedAt, done, isErased } = landlord;
  const count = (kind: string) => events.filter((event) => event.split(" ")[0] === kind).length;
  const found = {
    "hash of its link's token": hashes,
    "mobile of the invitation": row.invitedMobile,
    status: String(row.status).replace("_", "-"),
    "time of its submission": iso(row.submittedAt),
    "consent records": consents,
    "submissions among its events": count("submitted"),
    "invitations among its events": count("link_issued"),
    "what operations did": events.filter((event) => /^(status_changed|erased)/.test(event)).join("; "),
    "whether it is erased": row.erasedAt !== null,
  };
  const times = submittedAt ? 1 : 0;
  const [hash, invited] = [Buffer.from(hashToken(token)).toString("hex"), isErased ? "" : mobile];
  const wanted = [hash, invited, landlord.status, iso(submittedAt), times, times, 1, done.join("; "), isErased];
  const odd = differences(Object.fromEntries(Object.keys(found).map((what, n) => [what, String(wanted[n])])), found);
  if (!isErased) return [...odd, ...differences(saved, row)];
  // The source of a link is kept.
  const personal = Object.entries(saved).filter(([name, value]) => name !== "source" && value);
  const left = personal.filter(([name, value]) => written(value) === written(row[name]));
  return [...odd, ...left.map(([name]) => `${name} is there after its erasure`)];
}

/** The acknowledged values that a row does not have. */
export function differences(saved: Record<string, string>, row: Record<string, unknown>): string[] {
  return Object.entries(saved)
    .filter(([name, value]) => written(row[name]) !== written(value))
    .map(([name, value]) =>
      `${name}: '${row[name]}' instead of '${value}'`.replace(/([0-9a-f]{8})[0-9a-f]{56}/g, "$1…"),
    );
}

const iso = (time: unknown) => (time ? new Date(String(time)).toISOString() : "");
/** 2450.00 and 2450 are one amount. */
const written = (value: unknown) => String(value ?? "").replace(/^(\d+)\.0+$/, "$1");

export interface Journeys {
  calls: number;
  submitted: number;
  /** Why calls had to be repeated: a status, or that there was no answer. */
  refusals: string[];
  isOver: boolean;
}

/** Everybody fills in and submits, as the form does it: a call that is not answered, or with 502 to 504, is repeated. */
export async function travel(
  app: { url: string },
  landlords: Landlord[],
  during: (journeys: Journeys) => Promise<void>,
): Promise<Journeys> {
  const journeys: Journeys = { calls: 0, submitted: 0, refusals: [], isOver: false };
  const deadline = Date.now() + 90_000;

  async function acknowledged({ token, reference }: Landlord, name: Call, data: object): Promise<Answer> {
    for (; Date.now() < deadline; await sleep(200)) {
      const answer = await call(app, name, { token, data }).catch(() => null);
      journeys.calls += 1;
      if (answer?.status === 200) return answer;
      journeys.refusals.push(String(answer?.status ?? "no answer"));
      if (answer && answer.status < 502) throw new Broken(`${reference}: ${name} got ${answer.text}`);
    }
    throw new Broken(`${reference}: ${name} had no 200 in time`);
  }

  async function one(landlord: Landlord): Promise<void> {
    await acknowledged(landlord, "verify-token", {});
    for (const { call: name, answers } of steps) {
      const data = ownAnswers(landlord, answers);
      await acknowledged(landlord, name, data);
      Object.assign(landlord.saved, data);
      await sleep(100);
    }
    const { body } = await acknowledged(landlord, "submit-final", consent);
    landlord.status = String(body.data?.status);
    landlord.submittedAt = String(body.data?.submittedAt);
    journeys.submitted += 1;
  }

  // A journey that fails does not end the others: nothing may be under way any more when the database is looked at.
  const all = several(landlords.length, 8, (n) => one(landlords[n] as Landlord).catch((error: Error) => error)).finally(
    () => {
      journeys.isOver = true;
    },
  );
  const [around] = await Promise.allSettled([during(journeys), all]);
  if (around.status === "rejected") throw around.reason;
  for (const outcome of await all) if (outcome) throw outcome;
  return journeys;
}

/** Nobody's answers are anybody else's, so that none can stand in for another. */
function ownAnswers({ mobile, reference }: Landlord, answers: object): Record<string, string> {
  const own = Object.entries(answers).map(([name, value]) => {
    if (name === "mobile") return [name, mobile];
    if (name === "managerEmail" || name === "email") return [name, `${reference.toLowerCase()}@mail.example`];
    return [name, /Name$|Address$/.test(name) ? `${value} ${reference}` : value];
  });
  return Object.fromEntries(own);
}
