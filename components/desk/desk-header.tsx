import type { ReactNode } from "react";
import { LogoMark } from "@/components/site/logo-mark";
import type { Brand } from "@/lib/brand";
import { printable } from "@/lib/domain/printable-text";
import { DeskNav } from "./desk-nav";
import { DeskSearch } from "./desk-search";

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
          {/* On a phone the search stands beside the logo. */}
          <span className={person ? "max-sm:sr-only" : ""}>{brand.name}</span>
        </span>
        {person && (
          <>
            <DeskSearch />
            <DeskNav />
            <form action={signOut} className="flex flex-wrap items-center gap-x-3">
              <span className="wrap-anywhere text-ink-soft text-sm">{`${printable(person.by)} (${person.role})`}</span>
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
