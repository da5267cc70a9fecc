import Link from "next/link";
import type { Brand } from "@/lib/brand";
import { callLink } from "./support-contacts";

export function Header({ brand }: { brand: Brand }) {
  return (
    <header className="border-line border-b bg-surface print:hidden">
      <a
        href="#main"
        className="absolute -top-24 left-2 z-20 rounded-md bg-ink px-4 py-3 font-semibold text-white focus:top-2"
      >
        Skip to main content
      </a>
      <div className="page flex min-h-14 flex-wrap sm:min-h-16 items-center justify-between gap-x-4 py-1">
        <Link prefetch={false} href="/" className="-m-1.5 flex min-h-11 items-center gap-2.5 rounded-md p-1.5">
          <LogoMark className="size-8" />
          <span className="font-bold text-lg leading-tight tracking-tight">{brand.name}</span>
          <span className="sr-only">, home</span>
        </Link>
        <a
          href={callLink(brand.supportPhone)}
          className="-mr-2 flex min-h-11 shrink-0 items-center gap-2 rounded-md px-2 font-semibold text-brand text-sm hover:underline"
        >
          <svg
            viewBox="0 0 24 24"
            fill="none"
            stroke="currentColor"
            strokeWidth="2"
            strokeLinejoin="round"
            aria-hidden="true"
            className="size-5"
          >
            <path d="M5 4h4l1.5 4.5-2.3 1.7a12 12 0 0 0 5.6 5.6l1.7-2.3L20 15v4a1.5 1.5 0 0 1-1.6 1.5C10.5 20 4 13.5 3.5 5.6A1.5 1.5 0 0 1 5 4Z" />
          </svg>
          <span className="sm:hidden">Call us</span>
          <span className="hidden sm:inline">{brand.supportPhone}</span>
        </a>
      </div>
    </header>
  );
}

/** Keep app/icon.svg in step with this drawing. */
export function LogoMark({ className }: { className: string }) {
  return (
    <svg viewBox="0 0 32 32" fill="none" aria-hidden="true" className={`shrink-0 ${className}`}>
      <rect width="32" height="32" rx="9" className="fill-brand" />
      <path
        d="M7.5 11c.5 6.5 1.9 12.5 4.4 12.5S15.3 18 16 12.5c.7 5.5 1.6 11 4.1 11s3.9-6 4.4-12.5"
        stroke="#fff"
        strokeWidth="2.75"
        strokeLinecap="round"
      />
      <g className="fill-accent">
        <circle cx="7.5" cy="10" r="3.2" />
        <circle cx="16" cy="11" r="3.2" />
        <circle cx="24.5" cy="10" r="3.2" />
      </g>
    </svg>
  );
}
