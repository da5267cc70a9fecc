import type { ReactNode } from "react";
import { Icon } from "./icon";

/** The four highlight styles of a changed field (specification, section 2, "Field behaviours"). */
export type HighlightStyle = "default" | "subtle" | "icon" | "animated";

export interface Change {
  /** The earlier value, formatted for reading, if there was one. */
  from?: ReactNode;
  /** The value was changed elsewhere after the applicant had read it. */
  sinceRead?: boolean;
  style?: HighlightStyle;
}

const marks: Record<HighlightStyle, string> = {
  default: "self-start rounded-md bg-accent-soft px-2 py-0.5 text-accent-strong",
  subtle: "text-ink-soft",
  icon: "inline-flex items-start gap-1.5 text-ink-soft",
  // The background fades from a strong colour when the mark is inserted.
  animated:
    "animate-appear self-start rounded-md bg-accent-soft px-2 py-0.5 text-accent-strong transition-colors duration-1000 starting:bg-accent motion-reduce:transition-none",
};

/** Border and background of the changed field. The shadow is outside, because the input covers one inside. */
export const changedBox: Record<HighlightStyle, string> = {
  default: "border-accent-strong bg-accent-soft/50",
  subtle: "border-line-strong bg-surface shadow-[-3px_0_0_var(--color-accent)]",
  icon: "border-line-strong bg-surface",
  animated: "border-accent-strong bg-surface",
};

const pencil = "M3.5 16.5 4.4 13 13.2 4.2a1.8 1.8 0 0 1 2.6 2.6L7 15.6l-3.5.9Z";

function leadingWords({ from, sinceRead }: Change): string {
  if (sinceRead) return from ? "Changed since you read it, from " : "Changed since you read it";
  return from ? "Changed from " : "Changed";
}

export function ChangedMark({ id, change }: { id?: string; change: Change }) {
  const { from, style = "default" } = change;
  return (
    <p id={id} data-highlight={style} className={`text-sm wrap-anywhere ${marks[style]}`}>
      {style === "icon" && (
        <Icon path={pencil} size={20} width={1.6} className="mt-[0.2em] size-4 shrink-0 text-accent-strong" />
      )}
      <span>
        <span>{leadingWords(change)}</span>
        <span>{from}</span>
      </span>
    </p>
  );
}
