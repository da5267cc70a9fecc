import type { Client } from "pg";

/** The contents of the database after a step, read by its owner. */
export interface Facts {
  applications: ApplicationFact[];
  links: { application: string; hash: string }[];
  /** When each link was created and when it expires, in milliseconds. */
  lifetimes: { application: string; begins: number; ends: number }[];
  consents: ConsentFact[];
  messages: MessageFact[];
  /** Every canary of a personal value in any column of any table, with the name of that table. */
  canaries: Map<number, string>;
}

export interface ApplicationFact {
  id: string;
  reference: string;
  status: string;
  erasedAt: string | null;
  invitedEmail: string;
  invitedMobile: string;
  updatedAt: string;
  submissions: number;
  /** For steps 1 and 2, the answers with the save's canary; not the landlord's email, which may be the invited one. */
  steps: string[][];
}

export interface ConsentFact {
  application: string;
  reviewed: boolean;
  hash: string;
  answers: Record<string, string> | null;
  boxes: Record<string, boolean>;
  /** The columns that no erasure changes. */
  lasting: string;
}

export interface MessageFact {
  id: string;
  number: number;
  application: string | null;
  kind: string;
  channel: "email" | "sms" | "webhook";
  recipient: string;
  detail: string;
  state: string;
  error: string;
  dueAt: number;
}

/** A canary is a personal value that contains a number: zq17q in a text, 6141 and seven digits in a phone number. */
export const canary = (number: number) => `zq${number}q`;
export const canaryPhone = (number: number) => `6141${String(number).padStart(7, "0")}`;
const canaries = /zq(\d+)q|6141(\d{7})/gi;

export function canariesIn(text: string): number[] {
  return [...text.matchAll(canaries)].map(([, word, digits]) => Number(word ?? digits));
}

/** Builds a statement that reads every row of every table as text. */
async function everythingIn(owner: Client): Promise<string> {
  const { rows } = await owner.query(`
    SELECT string_agg(format('SELECT %L AS place, t::text AS row FROM %I.%I t', tablename, schemaname, tablename), ' UNION ALL ')
    AS text FROM pg_tables WHERE schemaname NOT IN ('pg_catalog', 'information_schema') AND tablename <> '_prisma_migrations'`);
  return rows[0].text;
}
const statements = new WeakMap<Client, Promise<string>>();

const columnsOf = (...columns: string[]) => columns.map((column) => `a."${column}"`).join(", ");
const read = `
  SELECT json_build_object(
    'applications', (SELECT COALESCE(json_agg(json_build_object('id', a.id, 'reference', a.reference, 'status', a.status,
      'erasedAt', a."erasedAt", 'invitedMobile', a."invitedMobile", 'invitedEmail', a."invitedEmail", 'updatedAt', a."updatedAt",
      'submissions', (SELECT count(*) FROM events e WHERE e."applicationId" = a.id AND kind = 'submitted'),
      'steps', json_build_array(json_build_array(${columnsOf("firstName", "lastName", "propertyAddress")}),
        json_build_array(${columnsOf("agencyName", "managerFirstName", "managerLastName", "managerEmail")}))) ORDER BY a.id), '[]')
      FROM applications a),
    'links', (SELECT COALESCE(json_agg(json_build_object('application', l."applicationId", 'hash', encode(t."tokenHash", 'hex'))), '[]')
      FROM links l JOIN link_tokens t ON t."linkId" = l.id WHERE l."revokedAt" IS NULL AND l."expiresAt" > now()),
    'lifetimes', (SELECT COALESCE(json_agg(json_build_object('application', l."applicationId",
      'begins', extract(epoch FROM l."createdAt") * 1000, 'ends', extract(epoch FROM l."expiresAt") * 1000)), '[]')
      FROM links l),
    'consents', (SELECT COALESCE(json_agg(json_build_object('application', c."applicationId", 'reviewed', c.reviewed,
      'hash', c."answersHash", 'answers', c.answers, 'boxes', json_build_object('authoriseAgent', c."authoriseAgent",
      'provideSelf', c."provideSelf", 'confirmLoan', c."confirmLoan"), 'lasting', concat_ws(' ', c.id, c.version, c."documentHash",
      c.reviewed, c."authoriseAgent", c."provideSelf", c."confirmLoan", c."consentedAt", c."recordHash"))), '[]')
      FROM consent_records c),
    'messages', (SELECT COALESCE(json_agg(json_build_object('id', m.id, 'number', m.number,
      'application', m."applicationId", 'kind', m.kind, 'channel', m.channel, 'recipient', m.recipient, 'detail', m.detail, 'state', m.state, 'error', m.error,
      'dueAt', extract(epoch FROM m."dueAt") * 1000) ORDER BY m.number), '[]') FROM messages m)
  ) AS facts`;

export async function readFacts(owner: Client, withCanaries: boolean): Promise<Facts> {
  const { rows } = await owner.query({ name: "facts", text: read });
  const facts: Facts = { ...rows[0].facts, canaries: new Map() };
  if (!withCanaries) return facts;
  const statement = statements.get(owner) ?? everythingIn(owner);
  statements.set(owner, statement);
  const found = await owner.query({ name: "everything", text: await statement });
  for (const { place, row } of found.rows) for (const number of canariesIn(row)) facts.canaries.set(number, place);
  return facts;
}
