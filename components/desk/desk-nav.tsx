"use client";

import Link from "next/link";
import { usePathname } from "next/navigation";

const pages = [
  ["/desk", "Applications"],
  ["/desk/invite", "Invite"],
  ["/desk/messages", "Messages"],
  ["/desk/figures", "Figures"],
] as const;

const pageLink =
  "flex min-h-11 items-center border-transparent border-b-2 px-1.5 font-semibold text-brand text-sm hover:border-line-strong aria-[current]:border-brand sm:px-3 sm:text-base";

/** The pages of the desk. On a phone they fit one line. */
export function DeskNav() {
  const path = usePathname();
  const isElsewhere = pages.some(([href]) => href !== "/desk" && path.startsWith(href));
  const current = (href: string) => {
    if (href === path) return "page";
    // The page of an application belongs to the list.
    return href === "/desk" && !isElsewhere ? "true" : undefined;
  };
  return (
    <nav aria-label="Desk" className="-mx-1.5 flex grow flex-wrap sm:mx-0">
      {pages.map(([href, name]) => (
        <Link key={href} href={href} prefetch={false} aria-current={current(href)} className={pageLink}>
          {name}
        </Link>
      ))}
      {/* Another document: Next's link would first ask for it as data, and that would be recorded as an opening. */}
      <a href="/desk/studio" className={pageLink}>
        Studio
      </a>
    </nav>
  );
}
