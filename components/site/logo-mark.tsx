import { type Brand, initialOf } from "@/lib/brand";

/** The lender's logo, or its initial as app/logo/route.ts draws it. It is decorative, because the name stands beside it. */
export function LogoMark({ brand }: { brand: Brand }) {
  // biome-ignore lint/performance/noImgElement: next/image does not optimise an SVG
  if (brand.hasLogo) return <img src="/icon.svg" alt="" className="size-8 shrink-0 object-contain" />;
  return (
    <svg viewBox="0 0 32 32" aria-hidden="true" className="size-8 shrink-0">
      <rect width="32" height="32" rx="9" className="fill-brand" />
      <text x="16" y="22.5" textAnchor="middle" className="fill-white font-bold text-[18px]">
        {initialOf(brand.name)}
      </text>
    </svg>
  );
}
