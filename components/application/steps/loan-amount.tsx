import { type ReactNode, useId, useRef } from "react";
import { AnswerField, useStepValues } from "@/components/application/fields/answer-field";
import { AdvanceTable } from "@/components/application/review/calculation-summary";
import { useForm } from "@/components/application/saving/use-form";
import { useBrand } from "@/components/site/brand-context";
import { useMoney } from "@/components/site/use-money";
import { check, Icon } from "@/components/ui/icon";
import { isAtLimit, loanAmountFor, maximumAdvance, usualAmounts, weeksOfRent } from "@/lib/domain/advance";
import type { StepAnswers } from "@/lib/domain/application";
import { centsOf, isSameAmount } from "@/lib/domain/money";
import { costNoun } from "@/lib/domain/source";
import { useReplaced } from "./replaced-amount";

const headingId = "how-much";

/** The loan amount, two buttons that fill it in, and how it adds up. */
export function LoanAmount() {
  const { source } = useForm();
  const { values, change } = useStepValues<StepAnswers[3]>();
  const { exact, whole } = useMoney();
  const { costNote } = useBrand();
  const replaced = useReplaced(values);
  const heading = useRef<HTMLHeadingElement>(null);
  const noun = costNoun(source);
  const costs = noun === "repair" ? "repair costs" : noun;
  const changed = replaced?.changed === "currentRent" ? "rent" : costs;
  const written = (amount: string) => exact(centsOf(amount));
  const { costsOnly, twoYears } = usualAmounts(values);
  const hasCosts = centsOf(values.invoiceAmount) > 0;
  const calculation = `${weeksOfRent} × ${written(values.currentRent)}${hasCosts ? ` + ${written(values.invoiceAmount)}` : ""}`;
  const isLimited = isAtLimit({ ...values, loanAmount: twoYears ?? "" });
  const limit = whole(maximumAdvance);
  const isCalculated = isSameAmount(values.loanAmount, loanAmountFor(values));

  const fill = (loanAmount: string) => change(() => ({ loanAmount }));
  const isFilledIn = (amount: string) => isSameAmount(amount, values.loanAmount);

  return (
    <section aria-labelledby={headingId} className="grid gap-2">
      <h2 ref={heading} id={headingId} tabIndex={-1} className="font-semibold text-lg">
        How much would you like?
      </h2>
      <AnswerField
        name="loanAmount"
        hint={`Any amount up to ${limit}.`}
        max={maximumAdvance}
        maxReason={`We've reduced this to ${limit}, the most we can advance.`}
      />
      <div className="grid gap-2 empty:hidden sm:grid-cols-2">
        {costsOnly && (
          <AmountButton pressed={isFilledIn(costsOnly)} onPress={() => fill(costsOnly)}>
            {`Only the ${noun}: ${written(costsOnly)}`}
          </AmountButton>
        )}
        {twoYears && (
          <AmountButton
            pressed={isFilledIn(twoYears)}
            hint={isLimited ? `${calculation}, limited to ${limit}` : calculation}
            onPress={() => fill(twoYears)}
          >
            {`Two years of rent${hasCosts ? ` plus the ${noun}` : ""}: ${written(twoYears)}`}
          </AmountButton>
        )}
      </div>
      <div>
        <div role="status">
          {replaced && (
            <div className="rounded-md border border-accent border-l-4 bg-accent-soft px-3 pt-2.5">
              <p>{`Because your ${changed} changed, we've recalculated the amount: ${written(values.loanAmount)}.`}</p>
              <a
                href={`#${headingId}`}
                className="link inline-flex min-h-11 items-center font-semibold"
                // The link disappears with its note. The focus moves to the heading, because in the field it would open a keyboard.
                onClick={(event) => {
                  event.preventDefault();
                  fill(replaced.loanAmount);
                  heading.current?.focus({ preventScroll: true });
                }}
              >
                {`${replaced.isCostsOnly ? `Only the ${noun}:` : "Go back to"} ${written(replaced.loanAmount)}`}
              </a>
            </div>
          )}
          {!replaced && isCalculated && <p className="sr-only">{`Total: ${written(values.loanAmount)}`}</p>}
        </div>
        <AdvanceTable values={values} source={source} />
        <p className="mt-2 text-ink-soft text-sm">{costNote}</p>
      </div>
    </section>
  );
}

interface AmountButtonProps {
  pressed: boolean;
  hint?: string;
  onPress: () => void;
  children: ReactNode;
}

function AmountButton({ pressed, hint, onPress, children }: AmountButtonProps) {
  const id = useId();
  const look = pressed
    ? "border-brand bg-brand-soft ring-1 ring-brand"
    : "border-line-strong bg-surface hover:border-ink";
  return (
    <div>
      <button
        type="button"
        aria-pressed={pressed}
        aria-describedby={hint && `${id}-hint`}
        // Keeps the focus in the field that is being typed in. An error shown when it is left would move this button.
        onMouseDown={(event) => event.preventDefault()}
        onClick={onPress}
        className={`flex min-h-12 w-full items-center justify-between gap-2 rounded-md border px-[min(0.75rem,3.2vw)] py-2.5 text-left font-semibold tabular-nums ${look}`}
      >
        <span className="min-w-0">{children}</span>
        <Icon path={check} width={2.5} className={`size-5 shrink-0 text-brand ${pressed ? "" : "invisible"}`} />
      </button>
      {/* Outside the button, so that its name is the text that it shows. */}
      {hint && (
        <p id={`${id}-hint`} className="mt-1 text-ink-soft text-sm tabular-nums">
          {hint}
        </p>
      )}
    </div>
  );
}
