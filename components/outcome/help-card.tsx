import { type ReactNode, useId } from "react";

interface HelpCardProps {
  title: string;
  text: string;
  children: ReactNode;
}

export function HelpCard({ title, text, children }: HelpCardProps) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="mt-8 rounded-xl border border-line bg-surface p-5 shadow-md sm:p-6">
      <h2 id={id} className="font-semibold text-lg">
        {title}
      </h2>
      <p className="mt-1 mb-3 text-ink-soft">{text}</p>
      {children}
    </section>
  );
}
