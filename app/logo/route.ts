import { initialOf } from "@/lib/brand";
import { currentSettings } from "@/lib/server/settings";
import { html, light } from "@/lib/server/templates/html";

/** The same mark as LogoMark in components/site/logo-mark.tsx. */
const initialSvg = (name: string) =>
  html`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">
<rect width="32" height="32" rx="9" fill="${light.brand}"/>
<text x="16" y="22.5" text-anchor="middle" font-family="system-ui,sans-serif" font-size="18" font-weight="700" fill="#fff">${initialOf(name)}</text>
</svg>
`.markup;

/** Serves /icon.svg (next.config.mjs): the lender's logo, or the initial of its name. */
export function GET(): Response {
  const { brand, BRAND_LOGO_FILE } = currentSettings();
  return new Response(BRAND_LOGO_FILE ?? initialSvg(brand.name), {
    headers: { "content-type": "image/svg+xml; charset=utf-8", "cache-control": "public, max-age=3600" },
  });
}
