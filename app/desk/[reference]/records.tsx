import type { ReactNode } from "react";
import { ChangedMark } from "@/components/ui/changed-mark";
import type { DeskApplication } from "@/lib/server/desk/application-view";

type Props = { application: DeskApplication };

function Section({ title, children }: { title: string; children: ReactNode }) {
  const id = title.toLowerCase().replaceAll(" ", "-");
  return (
    <section aria-labelledby={id} className="min-w-0 border-line border-t pt-5">
      <h2 id={id} className="mb-3 font-bold text-xl">
        {title}
      </h2>
      {children}
    </section>
  );
}

const cell = "wrap-anywhere py-2 pr-3 align-top";

interface TableProps {
  headings: readonly string[];
  rows: { key: string; cells: readonly ReactNode[] }[];
}

function Table({ headings, rows }: TableProps) {
  return (
    <table className="w-full table-fixed border-collapse text-left text-sm sm:text-base">
      <thead>
        <tr>
          {headings.map((heading) => (
            <th key={heading} scope="col" className={`${cell} border-line-strong border-b font-semibold`}>
              {heading}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ key, cells: [first, ...rest] }) => (
          <tr key={key} className="border-line border-b">
            <th scope="row" className={`${cell} font-normal`}>
              {first}
            </th>
            {rest.map((content, index) => (
              <td key={headings[index + 1]} className={cell}>
                {content}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

export function Answers({ application: { answers, isErased } }: Props) {
  const kept = answers.filter(({ answer, invited }) => !isErased || answer || invited);
  const rows = kept.map(({ label, answer, invited, isChanged, warning }) => ({
    key: label,
    cells: [
      label,
      <>
        <span>{answer || "–"}</span>
        {isChanged && (
          <div className="flex">
            <ChangedMark change={{}} />
          </div>
        )}
        {warning && (
          <p className="text-danger text-sm">{`Still the invitation's number: ${warning}. Call the applicant before you use it.`}</p>
        )}
      </>,
      invited || "–",
    ],
  }));
  return (
    <Section title="Answers">
      <Table headings={["Question", "Answer", "Invitation"]} rows={rows} />
    </Section>
  );
}

export function Consents({ application: { consents } }: Props) {
  if (consents.length === 0) return null;
  return (
    <Section title="Consent record">
      {consents.map(({ summary, problems, isTextOnly, receipt, paragraphs, boxes }) => (
        <div key={summary} className="grid gap-4">
          <p>{summary}</p>
          {problems.length > 0 ? (
            <p className="font-semibold text-danger">{`The check failed: ${problems.join("; ")}.`}</p>
          ) : (
            <p className="text-success">
              {isTextOnly
                ? "Checked: the text is what was agreed to. The rest was erased."
                : "Checked: this is what was agreed to, unchanged."}
            </p>
          )}
          <details>
            <summary className="link min-h-11 cursor-pointer py-2.5">The text and the receipt</summary>
            <div className="grid gap-3 whitespace-pre-wrap border-line border-l-4 pl-4">
              {paragraphs.map((paragraph) => (
                <p key={paragraph}>{paragraph}</p>
              ))}
              {boxes.map(({ label, isTicked }) => (
                <p key={label}>{`${isTicked ? "Ticked" : "Not ticked"}: ${label}`}</p>
              ))}
              {receipt.map(({ title, rows, notes }) => (
                <div key={title}>
                  <h3 className="font-semibold">{title}</h3>
                  {rows.map((row) => (
                    <p key={row.label}>{`${row.label}: ${row.text}${row.note ? ` (${row.note})` : ""}`}</p>
                  ))}
                  {notes.map((line) => (
                    <p key={line}>{line}</p>
                  ))}
                </div>
              ))}
            </div>
          </details>
        </div>
      ))}
    </Section>
  );
}

export function LinksAndMessages({ application: { links, messages } }: Props) {
  const rowsOf = (all: readonly string[][]) =>
    all.map((cells, index) => ({
      key: `${index}`,
      cells: cells.map((words) => (
        <span key={words} className="block first-letter:uppercase">
          {words}
        </span>
      )),
    }));
  return (
    <>
      <Section title="Links">
        <Table headings={["Issued", "Works", "Opened"]} rows={rowsOf(links)} />
      </Section>
      {messages.length > 0 && (
        <Section title="Messages">
          <Table headings={["Message", "State", "When"]} rows={rowsOf(messages)} />
        </Section>
      )}
    </>
  );
}

export function Timeline({ application }: Props) {
  return (
    <Section title="What happened">
      <ol className="grid gap-3">
        {application.timeline.map(({ id, at, words, reason }) => (
          <li key={id} className="grid gap-x-4 sm:grid-cols-[15rem_minmax(0,1fr)]">
            <span className="text-ink-soft tabular-nums">{at}</span>
            <div className="wrap-anywhere">
              <p className="first-letter:uppercase">{words}</p>
              {reason && <p className="mt-1 whitespace-pre-wrap rounded-md bg-accent-soft px-3 py-2">{reason}</p>}
            </div>
          </li>
        ))}
      </ol>
    </Section>
  );
}
