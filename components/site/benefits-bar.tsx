import { Icon } from "@/components/ui/icon";
import type { Brand } from "@/lib/brand";
import { maximumAdvance } from "@/lib/domain/advance";
import { formatCents } from "@/lib/domain/money";

export function BenefitsBar({ brand }: { brand: Brand }) {
  const benefits = [
    `Fast access to up to ${formatCents(maximumAdvance, brand)}`,
    "No impact on credit score",
    "Interest is tax deductible",
  ];
  return (
    <section aria-label="Benefits" className="on-dark print:hidden">
      <ul className="page grid grid-cols-[repeat(auto-fit,minmax(min(5.5rem,100%),1fr))] gap-x-2 gap-y-1 py-1.5 text-xs sm:py-2.5 leading-snug sm:flex sm:flex-wrap sm:justify-between sm:text-sm">
        {benefits.map((benefit) => (
          <li key={benefit} className="flex items-start gap-1.5 sm:items-center sm:gap-2">
            <Icon
              path="m3 8.5 3.5 3.5L13 4.5"
              size={16}
              width={2.5}
              className="mt-0.5 hidden size-3.5 shrink-0 text-accent min-[22.5rem]:block sm:mt-0 sm:size-4"
            />
            {benefit}
          </li>
        ))}
      </ul>
    </section>
  );
}
