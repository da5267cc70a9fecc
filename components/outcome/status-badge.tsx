import { Icon } from "@/components/ui/icon";
import type { SubmittedStatus } from "@/lib/domain/journey";

const check = "m5 12.5 4.5 4.5L19 7.5";
const glyphs: Record<SubmittedStatus, { path: string; colours: string }> = {
  submitted: { path: check, colours: "bg-success-soft text-success" },
  "in-review": {
    path: "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18Zm0 4.5V12l3 2",
    colours: "bg-accent-soft text-accent-strong",
  },
  approved: { path: check, colours: "bg-success-soft text-success" },
  declined: { path: "M6 12h12", colours: "bg-line text-ink-soft" },
};

/** Hidden from screen readers, because the heading beside it says the same. */
export function StatusBadge({ status }: { status: SubmittedStatus }) {
  const { path, colours } = glyphs[status];
  return (
    <span className={`grid size-16 place-items-center rounded-full ${colours}`}>
      <Icon path={path} width={2.5} className="size-9" />
    </span>
  );
}
