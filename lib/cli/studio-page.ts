import { createStudioBFFClient } from "@prisma/studio-core/data/bff";
import { createPostgresAdapter } from "@prisma/studio-core/data/postgres-core";
import { Studio, type StudioProps } from "@prisma/studio-core/ui";
import "@prisma/studio-core/ui/index.css";
import { createElement } from "react";
import { createRoot } from "react-dom/client";
import { searchText, searchWords, splitSearch } from "@/lib/domain/search-text";

type Adapter = StudioProps["adapter"];
type Query = Parameters<Adapter["query"]>[0];
type Filter = NonNullable<Query["filter"]>;

/** A search reads only these columns, so that it answers within five seconds at 60,000 rows. */
const searchedColumns: Record<string, string[]> = {
  application_list: ["status", "foundBy"],
  applications: ["reference", "status", "firstName", "lastName", "mobile", "invitedMobile"],
  data_reads: ["reference", "by", "command"],
};

function wordFilter(table: string, word: string): Filter {
  const text = table === "application_list" ? searchText(word) || word : word;
  const value = `%${text.replace(/[\\%_]/g, "\\$&")}%`;
  const columns = searchedColumns[table] ?? ["reference"];
  const filters = columns.map(
    (column) =>
      ({ kind: "ColumnFilter", id: `${word} ${column}`, column, operator: "ilike", value, after: "or" }) as const,
  );
  return { kind: "FilterGroup", id: word, after: "and", filters };
}

/**
 * The words match in any order, as in `npm run applications -- find`. Digits are searched as one phone number and as words,
 * because they may be a house number and a postcode.
 */
function searchFilters(table: string, typed = ""): Filter[] {
  const words = searchWords(typed);
  // No application matches the text as it was typed, because a search text has no apostrophes.
  if (words.length === 0 && typed !== "") words.push(typed);
  const { number, others } = splitSearch(words);
  const filters = others.map((word) => wordFilter(table, word));
  if (number === null) return filters;
  const digits = words.filter((word) => !others.includes(word)).map((word) => wordFilter(table, word));
  const asWords = { kind: "FilterGroup", id: "digits", after: "and", filters: digits } as const;
  const asNumber = { ...wordFilter(table, number), after: "or" } as const;
  return [{ kind: "FilterGroup", id: "number", after: "and", filters: [asNumber, asWords] }, ...filters];
}

/** By default the newest rows of a table come first, and a view keeps its own order. A user may sort otherwise. */
function rowOrder({ sortOrder, table: { columns } }: Query): Query["sortOrder"] {
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

const { execute } = createStudioBFFClient({ url: "/bff", fetch: fetchOrReload });
const reader = createPostgresAdapter({ executor: { execute } });
/** Reads the schema that the server has prepared in the format of Studio's own schema query. */
const { introspect } = createPostgresAdapter({
  executor: { execute: async () => [null, await (await fetch("/schema.json")).json()] },
});

/** Prisma's adapter for Postgres, made read-only. The database role refuses changes as well. */
const adapter: Adapter = {
  ...reader,
  introspect,
  query(details, options) {
    const { table, filter: chosen, fullTableSearchTerm } = details;
    const query = { ...details, sortOrder: rowOrder(details) };
    // Studio itself searches all columns of a table without references.
    if (!("reference" in table.columns)) return reader.query(query, options);
    const filters = [chosen, ...searchFilters(table.name, fullTableSearchTerm)].filter((one) => !!one);
    const filter: Filter = { kind: "FilterGroup", id: "all", after: "and", filters };
    return reader.query({ ...query, filter, fullTableSearchTerm: undefined }, options);
  },
  insert: refuse,
  update: refuse,
  updateMany: refuse,
  delete: refuse,
};

// If the URL contains a search when the page opens, Studio aborts the search and shows no results.
history.replaceState(null, "", location.hash.replace(/&?search=[^&]*/, ""));
const root = document.getElementById("root");
if (root) createRoot(root).render(createElement(Studio, { adapter }));
