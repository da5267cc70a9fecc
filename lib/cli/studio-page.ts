import { invitableAnswers, savedAnswers } from "@/lib/domain/application";
import { invitedColumn } from "@/lib/server/db/application-row";

/** The columns of every table and view that the reader may read, in their order. */
export type Readable = Record<string, string[]>;

export const firstView = "application_list";

/** What nobody reads in Studio: counts, Prisma's own list, and the tables that a view shows by reference. */
const unread = ["rate_limits", "_prisma_migrations", "consent_records", "events", "links", "messages"];

/** Studio's search looks for %words% in every column of text or choices, and gives up after five seconds. */
const searched: Record<string, string[]> = {
  application_list: ["status", "foundBy"],
  applications: ["reference", "status", "firstName", "lastName", "mobile"],
};

/** By which Studio tells the rows of a view apart; without a key it shows one. */
const keys: Record<string, string[]> = {
  events_by_reference: ["number"],
  links_by_reference: ["reference", "issued"],
  messages_by_reference: ["number"],
};

const withInvitation = savedAnswers.flatMap((name) =>
  invitableAnswers.some((one) => one === name)
    ? [name, invitedColumn(name as (typeof invitableAnswers)[number])]
    : name,
);
const first = ["reference", "status", ...withInvitation];

/** A table, view or column as Studio asks Postgres for it. */
interface Relation {
  schema: string;
  name: string;
  columns: Column[];
}

interface Column {
  name: string;
  datatype: string;
  options: unknown[];
  pk: number | null;
  [detail: string]: unknown;
}

/**
 * Changes of Prisma Studio 7.10's script, so that columns stand as they are told, the newest rows come first, a search reads
 * only columns of text, and nothing is offered that the reader may not do. A test tries that each is found, once.
 */
export const scriptChanges: [found: RegExp, changed: string][] = [
  // Columns in alphabetical order.
  [/function (\w+)\(t,r\)\{let i=t\.pkPosition\|\|1\/0,[^{}]*\}/, "function $1(){return 0}"],
  // Rows in the order of their keys. Views have an order of their own.
  [
    /function (\w+)\(t\)\{return t\?Object\.values\(t\.columns\)\.filter\(r=>r\.pkPosition!=null\)/,
    'function $1(t){if(t)return"createdAt"in t.columns?[{column:"createdAt",direction:"desc"}]:[];return t?Object.values(t.columns).filter(r=>r.pkPosition!=null)',
  ],
  // Every column searched as text.
  [
    /function (\w+)\(t\)\{let r=(\w+)\(t\),i=r\.normalizedSearchTerm;if\(i\.length<2\)return r;/,
    "function $1(t){let r=$2(t),i=r.normalizedSearchTerm;if(r)return r;",
  ],
  // Rows with a key can be edited, inserted and deleted.
  [/let (\w+)=!Object\.values\(\w+\?\.columns\?\?\{\}\)\.some\(\w+=>\w+\.pkPosition!=null\)/, "let $1=!0"],
  [/\(0,\w+\.jsx\)\(\w+,\{[^{}]*children:"Insert row"\}\)/, "null"],
  [/\{disabled:\w+,id:"table\.insert-row",/, '{shouldShow:()=>!1,id:"table.insert-row",'],
  [/\w+&&\w+>0&&\(0,\w+\.jsx\)\(\w+,\{variant:"secondary",size:"sm",onClick:\(\)=>\w+\(!0\),children:\w+\}\)/, "null"],
];

/** A page that opens with a search breaks it off itself, and says that there are no results: it opens without. */
const withoutSearch = `history.replaceState(null,"",location.hash.replace(/&?search=[^&]*/,""));\n`;

/** An answer of Prisma Studio's own server, as its page gets it. */
export function forReading(path: string, text: string, readable: Readable): string {
  if (path === "/studio.js") return withoutSearch + scriptChanges.reduce((one, change) => one.replace(...change), text);
  const [error, rows] = JSON.parse(text);
  return isSchema(rows) ? JSON.stringify([error, told(rows, readable)]) : text;
}

/** Studio asks for the schema as for anything else: this is what its answer looks like. */
function isSchema(rows: unknown): rows is Relation[] {
  return Array.isArray(rows) && rows.length > 0 && rows.every((row) => row.schema && row.name && row.columns);
}

function told(relations: Relation[], readable: Readable): Relation[] {
  return relations
    .filter(({ name }) => name in readable && !unread.includes(name))
    .sort((one, other) => Number(other.name === firstView) - Number(one.name === firstView))
    .map(({ schema, name, columns }) => ({
      schema,
      name,
      columns: inOrder(name, columns, readable).map((column) => toldOf(column, schema, name)),
    }));
}

function inOrder(relation: string, columns: Column[], readable: Readable): Column[] {
  const own = readable[relation] ?? [];
  const order = relation === "applications" ? [...new Set([...first, ...own])] : own;
  return [...columns].sort((one, other) => order.indexOf(one.name) - order.indexOf(other.name));
}

/** A reference leads to the list, and from there to the rest. */
function toldOf(column: Column, schema: string, relation: string): Column {
  const { name, datatype, options, pk } = column;
  const isWords = datatype === "text" || options.length > 0;
  const key = (keys[relation] ?? ["reference"]).indexOf(name) + 1;
  return {
    ...column,
    pk: pk ?? (key || null),
    // A type that Studio does not know is shown like text, and not searched.
    ...(isWords && !(searched[relation] ?? ["reference"]).includes(name) ? { datatype: "", options: [] } : {}),
    ...(name === "reference" && relation !== firstView
      ? { fk_schema: schema, fk_table: firstView, fk_column: "reference" }
      : {}),
  };
}
