import type { ReactNode } from "react";

interface CardProps {
  children: ReactNode;
  className?: string;
}

/** A sheet on the page's ground. The padding is the phone's where there is no room for more. */
export function Card({ children, className = "" }: CardProps) {
  return (
    <div
      className={`rounded-xl border border-line bg-surface p-[min(1.25rem,5.2vw)] shadow-md sm:p-8 print:border-0 print:p-0 print:shadow-none ${className}`}
    >
      {children}
    </div>
  );
}
