interface StepIndicatorProps {
  steps: readonly { number: number; title: string }[];
  current: number;
  completed: readonly number[];
}

/** One list for all widths: CSS hides all but the current step on a narrow screen. */
export function StepIndicator({ steps, current, completed }: StepIndicatorProps) {
  return (
    <nav
      aria-label="Progress"
      className="max-md:flex max-md:flex-wrap max-md:justify-between max-md:gap-x-3 max-md:text-sm"
    >
      <p className="text-ink-soft md:sr-only">{`Step ${current} of ${steps.length}`}</p>
      {/* For narrow screens, where the list shows only the current step. */}
      {completed.length > 0 && (
        <p className="sr-only md:hidden">{`${completed.length} of ${steps.length} completed`}</p>
      )}
      <ol className="flex md:gap-3">
        {steps.map(({ number, title }) => {
          const isCurrent = number === current;
          const isCompleted = completed.includes(number);
          const bar = isCurrent || isCompleted ? "md:border-brand" : "md:border-line";
          const circle = isCompleted
            ? "border border-brand bg-brand-soft text-brand"
            : "border border-line-strong text-ink-soft";
          return (
            <li
              key={number}
              aria-current={isCurrent ? "step" : undefined}
              className={`${isCurrent ? "flex" : "hidden"} items-start gap-2 md:flex md:grow md:basis-0 md:border-t-4 md:pt-3 ${bar}`}
            >
              <span
                aria-hidden="true"
                className={`hidden size-6 shrink-0 place-items-center rounded-full text-sm tabular-nums md:grid ${isCurrent ? "border border-brand bg-brand font-semibold text-white" : circle}`}
              >
                {isCompleted && !isCurrent ? "✓" : number}
              </span>
              <span className={isCurrent ? "font-semibold" : "text-ink-soft"}>{title}</span>
              {isCompleted && <span className="sr-only">, completed</span>}
            </li>
          );
        })}
      </ol>
      <div aria-hidden="true" className="mt-1.5 flex basis-full gap-1.5 md:hidden">
        {steps.map(({ number }) => (
          <span
            key={number}
            // Forced colours replace every background but a system colour.
            className={`h-1 grow rounded-full forced-colors:h-1.5 forced-colors:border ${number <= current ? "bg-brand forced-colors:bg-[CanvasText]" : "bg-line"}`}
          />
        ))}
      </div>
    </nav>
  );
}
