import { LogoMark } from "@/components/site/logo-mark";
import type { Brand } from "@/lib/brand";

/** Only for print, which hides the page's header. */
export function Letterhead({ brand }: { brand: Brand }) {
  return (
    <div className="hidden items-center gap-2.5 print:flex">
      <LogoMark className="size-8" />
      <p className="font-bold text-lg tracking-tight">{brand.name}</p>
    </div>
  );
}
