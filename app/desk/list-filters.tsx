import type { ReactNode } from "react";
import { inputBox } from "@/components/desk/input-box";
import { searchForm } from "@/components/desk/search-form";
import { buttonStyle } from "@/components/ui/button";
import { stepNumbers } from "@/lib/domain/journey";
import { applicationStatuses } from "@/lib/domain/statuses";
import { hasFilters, type ListQuery } from "@/lib/server/desk/list-query";
import { statusName } from "./applications-table";

const box = `${inputBox} w-full`;

/** Filters beside the header's search: they belong to its form, so that one address holds all. */
export function ListFilters({ query, by }: { query: ListQuery; by: string }) {
  const select = (name: keyof ListQuery, label: string, options: (readonly [value: string, label: string])[]) => (
    <Filter name={name} label={label}>
      <select id={`filter-${name}`} name={name} form={searchForm} defaultValue={query[name] ?? ""} className={box}>
        <option value="">Any</option>
        {options.map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    </Filter>
  );
  const text = (name: keyof ListQuery, label: string, list?: string) => (
    <Filter name={name} label={label}>
      <input
        id={`filter-${name}`}
        name={name}
        form={searchForm}
        defaultValue={query[name] ?? ""}
        list={list}
        autoComplete="off"
        spellCheck={false}
        className={box}
      />
    </Filter>
  );
  return (
    <details open={hasFilters(query)} className="mt-2">
      <summary className="link min-h-11 w-fit cursor-pointer py-2.5">Filters</summary>
      <div className="grid items-end gap-3 pt-2 sm:grid-cols-2 lg:grid-cols-4">
        {select(
          "status",
          "Status",
          applicationStatuses.map((status) => [status, statusName(status)]),
        )}
        {text("batch", "Batch")}
        {select("opened", "Link opened", [
          ["yes", "Opened"],
          ["no", "Never opened"],
        ])}
        {select(
          "step",
          "Draft continues at step",
          stepNumbers.map((step) => [String(step), String(step)]),
        )}
        {text("taken-by", "Taken by", "me")}
        <datalist id="me">
          <option value={by} />
        </datalist>
        {select("documents", "Documents sent by", [
          ["agent", "The agent"],
          ["self", "The landlord"],
        ])}
        {select("duplicate", "Open duplicate", [["yes", "Same mobile as another"]])}
        {query.sort && <input type="hidden" name="sort" form={searchForm} value={query.sort} />}
        <button type="submit" form={searchForm} className={buttonStyle("secondary")}>
          Show
        </button>
      </div>
    </details>
  );
}

function Filter({ name, label, children }: { name: string; label: string; children: ReactNode }) {
  return (
    <div>
      <label htmlFor={`filter-${name}`} className="mb-1 block font-semibold text-sm">
        {label}
      </label>
      {children}
    </div>
  );
}
