import type { Client } from "pg";
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

interface Stored {
  row: Record<string, unknown>;
  hashes: string[];
  consents: number;
  events: string[];
}

const everything = `
  SELECT to_jsonb(a) AS row, coalesce(hashes, '[]') AS hashes, coalesce(consents, 0) AS consents,
    coalesce(events, '[]') AS events
  FROM applications a
  LEFT JOIN (
    SELECT l."applicationId" AS id, json_agg(encode(t."tokenHash", 'hex')) AS hashes
    FROM links l JOIN link_tokens t ON t."linkId" = l.id GROUP BY 1
  ) AS its_links USING (id)
  LEFT JOIN (
    SELECT "applicationId" AS id, count(*)::int AS consents FROM consent_records GROUP BY 1
  ) AS its_consents USING (id)
  LEFT JOIN (
    SELECT "applicationId" AS id,
      json_agg(concat_ws(' ', kind, nullif(detail, ''), by, nullif(reason, '')) ORDER BY events.id) AS events
    FROM events GROUP BY 1
  ) AS its_events USING (id)`;

/** What a database lacks of what was acknowledged, each loss as a line. */
export async function lostIn(client: Client, landlords: Landlord[]): Promise<string[]> {
  const { rows } = await client.query<Stored>(everything);
  const stored = new Map(rows.map((one) => [one.row.reference, one]));
  const lost = landlords.flatMap((landlord) => {
    const found = stored.get(landlord.reference);
    const missing = found ? lacking(landlord, found) : ["the application is missing"];
    return missing.map((what) => `${landlord.reference}: ${what}`);
  });
  const surplus = rows.length - landlords.length;
  return surplus > 0 ? [...lost, `${surplus} applications of which nobody was told`] : lost;
}

function lacking(landlord: Landlord, { row, hashes, consents, events }: Stored): string[] {
  const { token, mobile, saved, submittedAt, done, isErased } = landlord;
  const count = (kind: string) => events.filter((event) => event.split(" ")[0] === kind).length;
  const byOperations = events.filter((event) => /^(status_changed|erased)/.test(event));
  const times = submittedAt ? 1 : 0;
  const wanted: [unknown, unknown, string][] = [
    [hashes.join(), Buffer.from(hashToken(token)).toString("hex"), "hash of its link's token"],
    [row.invitedMobile, isErased ? "" : mobile, "mobile of the invitation"],
    [String(row.status).replace("_", "-"), landlord.status, "status"],
    [iso(row.submittedAt), iso(submittedAt), "time of its submission"],
    [consents, times, "number of consent records"],
    [count("submitted"), times, "number of submissions among its events"],
    [count("link_issued"), 1, "number of invitations among its events"],
    [byOperations.join("; "), done.join("; "), "what operations did"],
    [row.erasedAt !== null, isErased, "whether it is erased"],
  ];
  const odd = wanted
    .filter(([found, right]) => found !== right)
    .map(([found, right, what]) => told(what, found, right));
  if (!isErased) return [...odd, ...differences(saved, row)];
  // The source of a link is kept.
  const left = Object.entries(saved).filter(
    ([name, value]) => name !== "source" && value && written(value) === written(row[name]),
  );
  return [...odd, ...left.map(([name]) => `${name} is there after its erasure`)];
}

/** The acknowledged answers that a row does not have. */
export function differences(saved: Record<string, string>, row: Record<string, unknown>): string[] {
  return Object.entries(saved)
    .filter(([name, value]) => written(row[name]) !== written(value))
    .map(([name, value]) => told(name, row[name], value));
}

const told = (what: string, found: unknown, right: unknown) =>
  `${what}: '${found}' instead of '${right}'`.replace(/[0-9a-f]{64}/g, (hash) => `${hash.slice(0, 8)}…`);

const iso = (time: unknown) => (time ? new Date(String(time)).toISOString() : "");

/** 2450.00 and 2450 are one amount. */
const written = (value: unknown) => String(value ?? "").replace(/^(\d+)\.0+$/, "$1");
