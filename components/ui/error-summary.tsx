import { type MouseEvent, useEffect, useRef } from "react";
import { check, Icon } from "./icon";

interface ErrorSummaryProps {
  problems: readonly { id: string; message: string }[];
  /** Replaces the list once every problem is corrected. */
  corrected?: string;
}

/** A plain #link does not move the keyboard focus in every browser, and it scrolls the label above the field out of view. */
function focusField(event: MouseEvent, id: string) {
  const field = document.getElementById(id);
  if (!field) return;
  event.preventDefault();
  const label = document.querySelector(`label[for="${id}"]`) ?? field;
  label.scrollIntoView?.();
  field.focus({ preventScroll: true });
}

/**
 * Takes the focus when it appears, so that a screen reader reads it out, and links to each field. It keeps its height once
 * every problem is corrected, so that the field being typed in does not move.
 */
export function ErrorSummary({ problems, corrected }: ErrorSummaryProps) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (problems.length > 0) box.current?.focus();
  }, [problems]);

  if (problems.length === 0) return null;
  return (
    <div
      ref={box}
      tabIndex={-1}
      role="alert"
      aria-labelledby={corrected ? "corrected-title" : "problem-title"}
      className={`grid rounded-lg border-2 bg-surface p-4 *:col-start-1 *:row-start-1 sm:p-5 ${corrected ? "border-line-strong" : "border-danger"}`}
    >
      {corrected && (
        <h2 id="corrected-title" className="flex items-center gap-2 self-start font-semibold text-lg">
          <Icon path={check} width={2.5} className="size-6 shrink-0 text-success" />
          {corrected}
        </h2>
      )}
      <div className={corrected && "invisible"}>
        <h2 id="problem-title" className="font-semibold text-lg">
          There is a problem
        </h2>
        <ul className="mt-1">
          {problems.map(({ id, message }) => (
            <li key={id}>
              <a
                href={`#${id}`}
                onClick={(event) => focusField(event, id)}
                className="inline-flex min-h-11 items-center py-1.5 font-semibold text-danger underline underline-offset-4 hover:decoration-2"
              >
                {message}
              </a>
            </li>
          ))}
        </ul>
      </div>
    </div>
  );
}
