import type { ReactNode } from "react";

export function Card({ children, className = "" }: { children: ReactNode; className?: string }) {
  return (
    <div
      className={`rounded-xl border border-line bg-surface p-[min(1.25rem,5.2vw)] shadow-md sm:p-8 print:border-0 print:p-0 print:shadow-none ${className}`}
    >
      {children}
    </div>
  );
}
