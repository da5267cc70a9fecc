import Link from "next/link";
import type { ReactNode } from "react";
import { LogoMark } from "@/components/site/logo-mark";
import type { Brand } from "@/lib/brand";
import { DeskSearch } from "./desk-search";

const pages = [
  ["/desk", "Applications"],
  ["/desk/invite", "Invite"],
  ["/desk/messages", "Messages"],
  ["/desk/figures", "Figures"],
] as const;

const pageLink = "flex min-h-11 items-center rounded-md px-3 font-semibold text-brand hover:underline";

interface DeskHeaderProps {
  brand: Brand;
  person: { by: string; role: string } | null;
  signOut: () => Promise<void>;
  /** Below the navigation: what the session has to say. */
  children?: ReactNode;
}

/** The header of every page of the desk. Without a person it has the lender's name alone. */
export function DeskHeader({ brand, person, signOut, children }: DeskHeaderProps) {
  return (
    <header className="border-line border-b bg-surface print:hidden">
      <div className="desk flex flex-wrap items-center gap-x-6 gap-y-1 py-2">
        <span className="flex items-center gap-2.5 font-bold">
          <LogoMark brand={brand} />
          {brand.name}
        </span>
        {person && (
          <>
            <DeskSearch />
            <nav aria-label="Desk" className="flex grow flex-wrap gap-x-1">
              {pages.map(([href, name]) => (
                <Link key={href} href={href} prefetch={false} className={pageLink}>
                  {name}
                </Link>
              ))}
              {/* Another document: Next's link would first ask for it as data, and that would be recorded as an opening. */}
              <a href="/desk/studio" className={pageLink}>
                Studio
              </a>
            </nav>
            <form action={signOut} className="flex flex-wrap items-center gap-x-3">
              <span className="wrap-anywhere text-ink-soft text-sm">{`${person.by} (${person.role})`}</span>
              <button type="submit" className="link min-h-11 px-1">
                Sign out
              </button>
            </form>
          </>
        )}
      </div>
      {children}
    </header>
  );
}
