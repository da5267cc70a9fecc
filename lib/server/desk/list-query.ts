import { z } from "zod";
import { stepNumbers } from "@/lib/domain/journey";
import { applicationStatuses } from "@/lib/domain/statuses";
import { type PageRequest, pageSorts } from "@/lib/server/applications/list-page";
import { documentsBy } from "@/lib/server/applications/search";

/** Postgres refuses a text with a null character. */
const text = z
  .string()
  .trim()
  .min(1)
  .max(200)
  .refine((words) => !words.includes("\0"))
  .optional()
  .catch(undefined);
const oneOf = <const Names extends readonly string[]>(names: Names) => z.enum(names).optional().catch(undefined);

/** In the filter of who has taken an application. */
export const takenByNobody = "nobody";

/** What an address of the list may hold, in the order of its fields. Anything else in it counts as not given. */
const querySchema = z.object({
  q: text,
  status: oneOf(applicationStatuses),
  batch: text,
  opened: oneOf(["yes", "no"]),
  step: oneOf(stepNumbers.map(String)),
  "taken-by": text,
  documents: oneOf(documentsBy),
  duplicate: oneOf(["yes"]),
  sort: oneOf(pageSorts),
  after: text,
});
export type ListQuery = z.infer<typeof querySchema>;

/** The query of an address, and whether the address is the one that `listAddress` writes. A form sends its empty fields too. */
export function readListQuery(given: Record<string, string | string[] | undefined>) {
  const query = querySchema.parse(given);
  const names = Object.keys(given).filter((name) => name in query);
  return { query, isTidy: names.every((name) => query[name as keyof ListQuery] !== undefined) };
}

/** The address of the list with these changes. It begins with the first page unless they name another. */
export function listAddress({ after: _, ...query }: ListQuery, changes: ListQuery = {}): string {
  const given = Object.entries({ ...query, ...changes }).filter(([, value]) => value !== undefined);
  return given.length > 0 ? `/desk?${new URLSearchParams(given as [string, string][])}` : "/desk";
}

export function pageRequest(query: ListQuery): PageRequest {
  const { q = "", status, batch, opened, step, documents, duplicate, sort = "newest", after = "" } = query;
  return {
    words: q,
    filter: {
      statuses: status ? [status] : [],
      since: null,
      batch,
      isOpened: opened && opened === "yes",
      step: stepNumbers.find((number) => String(number) === step),
      takenBy: query["taken-by"] === takenByNobody ? "" : query["taken-by"],
      documents,
      isDuplicate: duplicate === "yes",
    },
    sort,
    after,
  };
}

/** Whether the list is narrowed by anything but the search. */
export function hasFilters({ q: _, sort: __, after: ___, ...filters }: ListQuery): boolean {
  return Object.values(filters).some((value) => value !== undefined);
}
