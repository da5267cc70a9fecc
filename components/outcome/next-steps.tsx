import type { StatusWords } from "@/lib/domain/status-words";

export function NextSteps({ words }: { words: StatusWords }) {
  return (
    <section aria-labelledby="next-steps">
      <h2 id="next-steps" className="font-bold text-xl">
        {words.nextHeading}
      </h2>
      <ol className="mt-5">
        {words.next.map(({ title, text }, index) => (
          <li key={title} className="group relative flex gap-4 pb-7 last:pb-0">
            <span
              aria-hidden="true"
              className="absolute top-10 bottom-0 left-5 -ml-px border-accent border-l-2 border-dashed group-last:hidden"
            />
            <span
              aria-hidden="true"
              className="grid size-10 shrink-0 place-items-center rounded-full bg-brand-soft font-bold text-brand tabular-nums"
            >
              {index + 1}
            </span>
            <div className="min-w-0 pt-2">
              <h3 className="font-semibold">{title}</h3>
              <p className="text-ink-soft">{text}</p>
            </div>
          </li>
        ))}
      </ol>
    </section>
  );
}
