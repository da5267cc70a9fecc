import type { Metadata } from "next";
import Link from "next/link";
import { redirect } from "next/navigation";
import { News } from "@/components/desk/news";
import { Banner } from "@/components/ui/banner";
import { ButtonLink } from "@/components/ui/button";
import { maxCounted, maxSorted, newsBaseline, readListPage } from "@/lib/server/applications/list-page";
import { recordRun } from "@/lib/server/applications/record-run";
import {
  hasFilters,
  type ListQuery,
  listAddress,
  pageRequest,
  readListQuery,
  takenByNobody,
} from "@/lib/server/desk/list-query";
import { ApplicationsTable } from "./applications-table";
import { requirePerson } from "./guard";
import { filtersInWords, ListFilters } from "./list-filters";

export const metadata: Metadata = { title: "Applications" };

function countWords(count: number | null): string {
  if (count === null || count > maxCounted) return `More than ${maxCounted.toLocaleString("en")} applications`;
  return count === 1 ? "1 application" : `${count.toLocaleString("en")} applications`;
}

/** What a person looks through each day. */
const lists = (by: string): [name: string, list: ListQuery][] => [
  ["All", {}],
  ["To take", { status: "submitted", "taken-by": takenByNobody }],
  ["Received", { status: "submitted" }],
  ["In review", { status: "in-review" }],
  ["Taken by you", { "taken-by": by }],
];

export default async function Applications({
  searchParams,
}: {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}) {
  const { query, isTidy } = readListQuery(await searchParams);
  const here = listAddress(query, { after: query.after });
  const { by } = await requirePerson(here);
  if (!isTidy) redirect(here);
  const news = await newsBaseline();
  const { applications, count, sort, next } = await readListPage(pageRequest(query));
  await recordRun({ by, command: query.q ? "desk find" : "desk list", count: applications.length });
  const isNarrowed = query.q !== undefined || hasFilters(query);
  const maySort = isNarrowed || (count !== null && count <= maxCounted);
  return (
    <div className="desk py-6">
      <h1 className="font-bold text-2xl">Applications</h1>
      <nav aria-label="Lists" className="mt-2 flex flex-wrap gap-x-5">
        {lists(by).map(([name, list]) => (
          <Link
            key={name}
            prefetch={false}
            href={listAddress(list)}
            aria-current={here === listAddress(list) ? "page" : undefined}
            className="link inline-flex min-h-11 items-center aria-[current]:font-semibold aria-[current]:text-ink aria-[current]:no-underline"
          >
            {name}
          </Link>
        ))}
      </nav>
      <ListFilters key={here} query={query} by={by} />
      <div className="mt-1 mb-4 flex flex-wrap items-center gap-x-4 gap-y-1">
        <p role="status">
          {[applications.length > 0 ? countWords(count) : "No applications found", filtersInWords(query)]
            .filter(Boolean)
            .join(". ")}
        </p>
        {isNarrowed && (
          <Link prefetch={false} href="/desk" className="link">
            Clear search and filters
          </Link>
        )}
      </div>
      {query.sort && sort !== query.sort && (
        <Banner tone="info">
          {`These are the newest first. To sort them another way, search or filter until at most ${maxSorted.toLocaleString("en")} are left.`}
        </Banner>
      )}
      {applications.length > 0 && (
        <ApplicationsTable
          applications={applications}
          sort={sort}
          sortAddress={maySort ? (by) => listAddress(query, { sort: by }) : undefined}
        />
      )}
      <nav aria-label="Pages" className="mt-6 flex flex-wrap gap-3">
        {query.after && (
          <ButtonLink variant="secondary" href={listAddress(query)}>
            First page
          </ButtonLink>
        )}
        {next && (
          <ButtonLink variant="secondary" href={listAddress(query, { after: next })}>
            Next page
          </ButtonLink>
        )}
      </nav>
      <News key={news.since} {...news} />
    </div>
  );
}
