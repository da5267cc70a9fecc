import type { Adapter, AdapterQueryDetails } from "@prisma/studio-core/data";
import { createStudioBFFClient } from "@prisma/studio-core/data/bff";
import { createPostgresAdapter } from "@prisma/studio-core/data/postgres-core";
import { Studio } from "@prisma/studio-core/ui";
import "@prisma/studio-core/ui/index.css";
import "./studio-page.css";
import { createElement } from "react";
import { createRoot } from "react-dom/client";
import { savedAnswers } from "@/lib/domain/application";
import { searchText, searchWords, splitSearch } from "@/lib/domain/search-text";

// Raw throughout: a query of the catalogue, and conditions by expression, which Studio's library sends to the server.

/**
 * Returns the tables and views of the reader. Left out are rate limit counts, Prisma's migration list, generated columns, which
 * repeat others, and the tables that a view shows by reference. In applications, the answers come first, each followed by the
 * invitation's value. Each reference becomes a foreign key to the application list, which is the first table. All columns are
 * declared as computed parts of the primary key: Studio orders columns by their position in the key, identifies the rows of a
 * view by the key, and does not edit computed columns.
 */
const schemaQuery = {
  parameters: [["reference", "status", ...savedAnswers.map((name) => name.toLowerCase())]],
  sql: `SELECT table_schema AS schema, table_name AS name, json_agg(json_build_object(
      'name', column_name, 'datatype', udt_name, 'datatype_schema', udt_schema, 'nullable', true,
      'options', (SELECT coalesce(json_agg(enumlabel), '[]') FROM pg_enum WHERE enumtypid = to_regtype(quote_ident(udt_name))),
      'pk', coalesce(2 * answer + (column_name LIKE 'invited%')::int, 1000 + ordinal_position),
      'computed', true, 'autoinc', false, 'default', NULL,
      'fk_schema', fk_schema, 'fk_table', fk_table, 'fk_column', fk_column) ORDER BY answer, ordinal_position) AS columns
    FROM information_schema.columns
    LEFT JOIN unnest($1::text[]) WITH ORDINALITY AS answers (name, answer)
      ON table_name = 'applications' AND name = lower(regexp_replace(column_name, '^invited', ''))
    LEFT JOIN (VALUES (current_schema(), 'application_list', 'reference')) AS list (fk_schema, fk_table, fk_column)
      ON column_name = fk_column AND table_name <> fk_table
    WHERE table_schema = current_schema() AND is_generated = 'NEVER'
      AND table_name NOT IN ('rate_limits', '_prisma_migrations', 'consent_records', 'events', 'links', 'messages')
    GROUP BY table_schema, table_name ORDER BY table_name <> 'application_list', table_name`,
};

/**
 * A search reads only these columns, so that it answers within five seconds at 60,000 rows. Each column is a condition of its
 * own: for an expression over several columns, Postgres may expect too few rows, and then takes longer than that.
 */
const searchedColumns: Record<string, string[]> = {
  application_list: ["status", "foundBy"],
  applications: ["reference", "status", "firstName", "lastName", "mobile", "invitedMobile"],
  data_reads: ["reference", "by", "command"],
};

/**
 * The words match in any order, as in `npm run applications -- find`. Digits are searched as one phone number and as words,
 * because they may be a house number and a postcode. A search for an apostrophe alone finds nobody.
 */
function searchCondition(table: string, typed: string): string {
  const words = searchWords(typed);
  const { number, others } = splitSearch(words);
  const contains = (word: string) => {
    const text = table === "application_list" ? searchText(word) : word;
    const pattern = `'%${text.replace(/[\\%_]/g, "\\$&").replaceAll("'", "''")}%'`;
    const columns = searchedColumns[table] ?? ["reference"];
    return `(${columns.map((column) => `"${column}"::text ILIKE ${pattern}`).join(" OR ")})`;
  };
  const asWords = words.map(contains).join(" AND ") || "false";
  return number === null ? asWords : `${asWords} OR ${[number, ...others].map(contains).join(" AND ")}`;
}

/** By default the newest rows of a table come first, and a view keeps its own order. A user may sort otherwise. */
function rowOrder({ sortOrder, table: { columns } }: AdapterQueryDetails): AdapterQueryDetails["sortOrder"] {
  // Until a user clicks a heading, Studio sorts by the whole key, and here every column belongs to the key.
  if (sortOrder.length < Object.keys(columns).length) return sortOrder;
  // The ids of a table without `createdAt` are numbers in order of creation.
  const column = ["createdAt", "id", "index"].find((name) => name in columns);
  return column ? [{ column, direction: "desc" }] : [];
}

async function refuse(): Promise<[Error]> {
  return [new Error("Studio is read-only. Change applications with the commands in docs/operations.md.")];
}

/** Without a session, Studio would say that the table is empty. The reloaded page says what to do. */
const fetchOrReload: typeof fetch = async (...request) => {
  const response = await fetch(...request);
  if (response.status === 403) location.reload();
  return response;
};

const root = document.getElementById("root");
const { schema = "", queries = "" } = root?.dataset ?? {};

const { execute } = createStudioBFFClient({ url: queries, fetch: fetchOrReload });
const reader = createPostgresAdapter({ executor: { execute } });
const { introspect } = createPostgresAdapter({
  executor: { execute: (query, options) => execute({ ...query, ...schemaQuery }, options) },
});

/** Prisma's adapter for Postgres, made read-only. The database role refuses changes as well. */
const adapter: Adapter = {
  ...reader,
  introspect,
  query(details, options) {
    const { table, filter, fullTableSearchTerm: typed } = details;
    const query = { ...details, sortOrder: rowOrder(details) };
    // Studio itself searches all columns of a table without references.
    if (!typed || !("reference" in table.columns)) return reader.query(query, options);
    const search = { kind: "SqlFilter", id: "search", after: "and", sql: searchCondition(table.name, typed) } as const;
    const filters = filter ? [search, filter] : [search];
    query.filter = { kind: "FilterGroup", id: "all", after: "and", filters };
    return reader.query({ ...query, fullTableSearchTerm: undefined }, options);
  },
  insert: refuse,
  update: refuse,
  updateMany: refuse,
  delete: refuse,
};

// Studio stores the SQL that somebody typed, which may name people.
window.localStorage.clear();
// If the URL contains a search when the page opens, Studio aborts the search and shows no results.
const opened = location.hash.replace(/&?search=[^&]*/, "");
history.replaceState(null, "", opened || `#schema=${encodeURIComponent(schema)}`);
if (root) createRoot(root).render(createElement(Studio, { adapter }));
