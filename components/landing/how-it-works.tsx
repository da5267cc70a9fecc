import { Icon } from "@/components/ui/icon";
import { type Brand, defaultBrand } from "@/lib/brand";
import { ByVariant } from "./with-session";

/** The default has the specification's abbreviation. */
const shortTime = (time: string) => (time === defaultBrand.processingTime ? "24 hrs" : time);

const stepsOf = ({ processingTime }: Brand) => [
  {
    path: "M8 3h8a2 2 0 0 1 2 2v14a2 2 0 0 1-2 2H8a2 2 0 0 1-2-2V5a2 2 0 0 1 2-2Zm1.5 5h5m-5 3.5h5M11 18h2",
    title: "Apply online",
    text: "No bank loans, no credit checks, no paperwork.",
  },
  {
    path: "M12 3 5 5.5v5.7c0 4.3 2.9 7.6 7 9.8 4.1-2.2 7-5.5 7-9.8V5.5L12 3Zm-3 9 2.2 2.2L15.3 10",
    title: <ByVariant variants={{ "pre-approval": "Get pre-approved", invoice: "Get approved" }} />,
    text: `Eligibility confirmed${processingTime && ` within ${shortTime(processingTime)}`}.`,
  },
  {
    path: "M13 3 5.5 13.5H11L10.5 21 18.5 10H13V3Z",
    title: "Instant funds",
    text: "Your property manager receives approved funds.",
  },
  {
    path: "M4.5 9.5A8 8 0 0 1 19 8m.5-4v4.5H15m4.5 6A8 8 0 0 1 5 16m-.5 4v-4.5H9",
    title: "Repay over time",
    text: "Repayments automatically deducted from rent.",
  },
];

/** The four steps, joined by a line: vertical on a phone, horizontal on a wide screen. */
export function HowItWorks({ brand }: { brand: Brand }) {
  return (
    <section aria-labelledby="story" className="border-line border-y bg-surface">
      <div className="page py-14 lg:py-20">
        <h2 id="story" className="font-bold text-2xl sm:text-3xl">
          How it works
        </h2>
        <ol className="mt-8 lg:mt-10 lg:grid lg:grid-cols-4">
          {stepsOf(brand).map(({ path, title, text }, index) => (
            <li
              key={path}
              className="group relative flex gap-[min(1.25rem,6.25vw)] pb-9 last:pb-0 lg:block lg:pr-8 lg:pb-0"
            >
              <span
                aria-hidden="true"
                className="absolute top-[min(3rem,15vw)] bottom-0 left-[min(1.5rem,7.5vw)] -ml-px border-accent border-l-2 border-dashed group-last:hidden lg:top-6 lg:right-0 lg:bottom-auto lg:left-12 lg:ml-0 lg:border-t-2 lg:border-l-0"
              />
              <span className="relative grid size-[min(3rem,15vw)] shrink-0 place-items-center rounded-full bg-brand-soft text-brand">
                <Icon path={path} width={1.75} className="size-1/2" />
              </span>
              <div className="min-w-0 lg:mt-5">
                <h3 className="font-semibold text-lg">
                  <span className="text-accent-strong">{index + 1}.</span> {title}
                </h3>
                <p className="mt-1 text-ink-soft">{text}</p>
              </div>
            </li>
          ))}
        </ol>
      </div>
    </section>
  );
}
