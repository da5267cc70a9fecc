import { useEffect, useRef, useState } from "react";
import { check, exclamation, Icon } from "./icon";

interface ErrorSummaryProps {
  /** What the last check has found. */
  problems: readonly { id: string; message: string }[];
  /** The errors now. A problem without one is corrected. */
  errors: Readonly<Record<string, string | undefined>>;
  /** Whether nothing is left to correct. */
  isCorrected: boolean;
}

/** A plain #link does not move the keyboard focus in every browser, and it scrolls the label above the field out of view. */
export function focusField(id: string): boolean {
  const field = document.getElementById(id);
  if (!field?.matches("input, select, textarea")) return false;
  const label = document.querySelector(`label[for="${id}"]`) ?? field;
  label.scrollIntoView?.();
  field.focus({ preventScroll: true });
  return true;
}

const problemTitle = "There is a problem";
const correctedTitle = "All corrected. Press Next to continue.";

/**
 * Takes the focus when a check has found problems, so that a screen reader reads it out, and links to each field. Later changes
 * keep its height and do not interrupt.
 */
export function ErrorSummary({ problems, errors, isCorrected }: ErrorSummaryProps) {
  const box = useRef<HTMLElement>(null);
  // On return to a step, the applicant has been told of its problems already.
  const [told, setTold] = useState(problems);
  if (told !== problems && problems.some(({ id }) => !errors[id])) setTold(problems);
  useEffect(() => {
    if (problems !== told) box.current?.focus();
  }, [problems, told]);

  if (problems.length === 0) return null;
  return (
    <section
      ref={box}
      tabIndex={-1}
      role={told === problems ? undefined : "alert"}
      aria-labelledby="problem-title"
      className={`rounded-lg border-2 bg-surface p-4 sm:p-5 ${isCorrected ? "border-line-strong" : "border-danger"}`}
    >
      {/* The other title, invisible, keeps the height. */}
      <h2
        id="problem-title"
        data-other={isCorrected ? problemTitle : correctedTitle}
        className="grid font-semibold *:col-start-1 *:row-start-1 after:invisible after:col-start-1 after:row-start-1 after:content-[attr(data-other)] sm:text-lg"
      >
        <span>{isCorrected ? correctedTitle : problemTitle}</span>
      </h2>
      <ul className="mt-1">
        {problems.map(({ id, message }) => {
          const error = errors[id];
          return (
            <li key={id}>
              <a
                href={`#${id}`}
                onClick={(event) => focusField(id) && event.preventDefault()}
                className={`inline-flex min-h-11 items-center gap-2 py-1.5 font-semibold hover:decoration-2 ${error ? "text-danger" : "text-ink"}`}
              >
                <Icon
                  path={error ? exclamation : check}
                  width={error ? 2 : 3}
                  className={`size-5 shrink-0 ${error ? "" : "text-success"}`}
                />
                <span className="underline underline-offset-4">
                  {!error && <span className="sr-only">Corrected: </span>}
                  <span>{error ?? message}</span>
                </span>
              </a>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
