import Link from "next/link";
import { Icon } from "@/components/ui/icon";
import { type Brand, callLink } from "@/lib/brand";
import { LogoMark } from "./logo-mark";
import { SkipLink } from "./skip-link";

const handset =
  "M5 4h4l1.5 4.5-2.3 1.7a12 12 0 0 0 5.6 5.6l1.7-2.3L20 15v4a1.5 1.5 0 0 1-1.6 1.5C10.5 20 4 13.5 3.5 5.6A1.5 1.5 0 0 1 5 4Z";

export function Header({ brand }: { brand: Brand }) {
  return (
    <header className="border-line border-b bg-surface print:hidden">
      <SkipLink />
      <div className="page flex min-h-14 flex-wrap sm:min-h-16 items-center justify-between gap-x-4 py-1">
        <Link prefetch={false} href="/" className="-m-1.5 flex min-h-11 items-center gap-2.5 rounded-md p-1.5">
          <LogoMark brand={brand} />
          <span className="font-bold text-lg leading-tight tracking-tight">{brand.name}</span>
          <span className="sr-only">, home</span>
        </Link>
        <a
          href={callLink(brand.supportPhone)}
          className="-mr-2 flex min-h-11 shrink-0 items-center gap-2 rounded-md px-2 font-semibold text-brand text-sm hover:underline"
        >
          <Icon path={handset} className="size-5" />
          <span className="sm:hidden">Call us</span>
          <span className="hidden sm:inline">{brand.supportPhone}</span>
        </a>
      </div>
    </header>
  );
}
