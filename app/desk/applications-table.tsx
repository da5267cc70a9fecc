import Link from "next/link";
import type { ReactNode } from "react";
import { centsOf, formatCents } from "@/lib/domain/money";
import { printable } from "@/lib/domain/printable-text";
import { formatToMinute } from "@/lib/domain/zone-time";
import type { PageSort } from "@/lib/server/applications/list-page";
import type { ListedApplication } from "@/lib/server/applications/search";
import { statusName } from "@/lib/server/desk/status-name";
import { currentSettings } from "@/lib/server/settings";

interface Column {
  name: string;
  sort?: PageSort;
  cell: (listed: ListedApplication) => ReactNode;
  className?: string;
}

const columns: Column[] = [
  { name: "Name", sort: "name", cell: ({ name }) => printable(name) },
  {
    name: "Amount",
    sort: "amount",
    cell: ({ amount }) => amount && formatCents(centsOf(amount), currentSettings().brand, true),
    className: "lg:text-right tabular-nums whitespace-nowrap",
  },
  { name: "Property", cell: ({ property }) => printable(property) },
  { name: "Agent", cell: ({ agent }) => printable(agent) },
  { name: "Status", sort: "status", cell: ({ status }) => statusName(status), className: "whitespace-nowrap" },
  {
    name: "Submitted",
    sort: "newest",
    cell: ({ submittedAt }) => submittedAt && formatToMinute(new Date(submittedAt), currentSettings().brand),
    className: "whitespace-nowrap",
  },
  { name: "Taken by", cell: ({ takenBy }) => takenBy && <Address address={takenBy} /> },
  {
    name: "Marks",
    cell: ({ warning, marks }) => [warning, ...marks].filter(Boolean).join(", "),
    className: "font-semibold",
  },
];

interface ApplicationsTableProps {
  applications: ListedApplication[];
  sort: PageSort;
  /** Missing while too many match. */
  sortAddress?: (sort: PageSort) => string;
}

/** On a phone each row is a card, in which each cell has its heading beside it. */
export function ApplicationsTable({ applications, sort, sortAddress }: ApplicationsTableProps) {
  return (
    <table className="w-full border-collapse text-sm max-lg:block">
      <caption className="sr-only">Applications</caption>
      <thead className="max-lg:hidden">
        <tr className="border-line-strong border-b text-left">
          <th scope="col" className="py-2 pr-4">
            Reference
          </th>
          {columns.map((column) => (
            <th
              key={column.name}
              scope="col"
              aria-sort={column.sort === sort ? directions[sort] : undefined}
              className={`py-2 pr-4 ${column.className ?? ""}`}
            >
              <Heading
                {...column}
                isCurrent={column.sort === sort}
                address={column.sort && sortAddress?.(column.sort)}
              />
            </th>
          ))}
        </tr>
      </thead>
      <tbody className="max-lg:grid max-lg:gap-3">
        {applications.map((listed) => (
          <tr
            key={listed.reference}
            className="border-line align-top hover:bg-brand-soft max-lg:grid max-lg:gap-1 max-lg:rounded-lg max-lg:border max-lg:bg-surface max-lg:p-4 lg:border-b"
          >
            <th scope="row" className="text-left font-semibold lg:py-2 lg:pr-4">
              <Link
                prefetch={false}
                href={`/desk/${listed.reference}`}
                className="link inline-flex min-h-6 items-center whitespace-nowrap"
              >
                {listed.reference}
              </Link>
            </th>
            {columns.map((column) => (
              <Cell key={column.name} {...column}>
                {column.cell(listed)}
              </Cell>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const directions = { newest: "descending", name: "ascending", amount: "descending", status: "ascending" } as const;
const arrows = { ascending: "↑", descending: "↓" };

function Heading({ name, sort, isCurrent, address }: Column & { isCurrent: boolean; address?: string }) {
  const arrow = sort && isCurrent && <span aria-hidden="true">{` ${arrows[directions[sort]]}`}</span>;
  if (!address || isCurrent)
    return (
      <>
        {name}
        {arrow}
      </>
    );
  return (
    <Link prefetch={false} href={address} className="link" aria-label={`Sort by ${name.toLowerCase()}`}>
      {name}
    </Link>
  );
}

/** Breaks before the @ where the column is narrow. */
function Address({ address }: { address: string }) {
  const [name, ...rest] = address.split("@");
  return (
    <>
      {name}
      <wbr />
      {rest.length > 0 && `@${rest.join("@")}`}
    </>
  );
}

function Cell({ name, className = "", children }: { name: string; className?: string; children: ReactNode }) {
  return (
    <td className={`min-w-0 lg:py-2 lg:pr-4 ${children ? "max-lg:flex max-lg:gap-3" : "max-lg:hidden"} ${className}`}>
      <span className="w-20 shrink-0 font-normal text-ink-soft lg:hidden">{name}</span>
      <bdi className="wrap-anywhere min-w-0">{children}</bdi>
    </td>
  );
}
