import { inputBox } from "@/components/desk/input-box";
import { buttonStyle } from "@/components/ui/button";
import { stepNumbers } from "@/lib/domain/journey";
import { printable } from "@/lib/domain/printable-text";
import { applicationStatuses } from "@/lib/domain/statuses";
import { type ListQuery, takenByNobody } from "@/lib/server/desk/list-query";
import { statusName } from "@/lib/server/desk/status-name";

interface Field {
  name: keyof ListQuery;
  label: string;
  /** What may be chosen, with its words. Without it, anything may be typed. */
  options?: (readonly [value: string, words: string])[];
}

const fields: Field[] = [
  { name: "status", label: "Status", options: applicationStatuses.map((status) => [status, statusName(status)]) },
  { name: "batch", label: "Batch" },
  {
    name: "opened",
    label: "Link opened",
    options: [
      ["yes", "Opened"],
      ["no", "Never opened"],
    ],
  },
  { name: "step", label: "Draft continues at step", options: stepNumbers.map((step) => [String(step), String(step)]) },
  { name: "taken-by", label: "Taken by" },
  {
    name: "documents",
    label: "Documents sent by",
    options: [
      ["agent", "The agent"],
      ["self", "The applicant"],
    ],
  },
  { name: "duplicate", label: "Open duplicate", options: [["yes", "Same mobile as another"]] },
];

/** Such as 'Status: In review, Batch: spring'; empty without a filter. */
export function filtersInWords(query: ListQuery): string {
  const words = fields.map(({ name, label, options }) => {
    const value = query[name];
    return value && `${label}: ${options?.find(([option]) => option === value)?.[1] ?? printable(value)}`;
  });
  return words.filter(Boolean).join(", ");
}

/** Narrows what the header's search has found. A new search drops the filters, so that a caller is found in any status. */
export function ListFilters({ query, by }: { query: ListQuery; by: string }) {
  return (
    <details>
      <summary className="link min-h-11 w-fit cursor-pointer py-2.5">Filters</summary>
      <form action="/desk" className="grid items-end gap-3 pt-1 pb-4 sm:grid-cols-2 lg:grid-cols-4">
        {fields.map((field) => (
          <Filter key={field.name} {...field} value={query[field.name]} />
        ))}
        <datalist id="taken-by">
          <option value={takenByNobody} />
          <option value={by} />
        </datalist>
        {query.q && <input type="hidden" name="q" value={query.q} />}
        {query.sort && <input type="hidden" name="sort" value={query.sort} />}
        <button type="submit" className={buttonStyle("secondary")}>
          Show
        </button>
      </form>
    </details>
  );
}

function Filter({ name, label, options, value = "" }: Field & { value?: string }) {
  const control = { id: `filter-${name}`, name, defaultValue: value, className: `${inputBox} w-full` };
  return (
    <div>
      <label htmlFor={control.id} className="mb-1 block font-semibold text-sm">
        {label}
      </label>
      {options ? (
        <select {...control}>
          <option value="">Any</option>
          {options.map(([option, words]) => (
            <option key={option} value={option}>
              {words}
            </option>
          ))}
        </select>
      ) : (
        <input
          {...control}
          {...(name === "taken-by" ? { list: name, placeholder: `An address, or ${takenByNobody}` } : {})}
          autoComplete="off"
          spellCheck={false}
        />
      )}
    </div>
  );
}
