import { type Brand, callLink } from "@/lib/brand";
import { dayIn } from "@/lib/domain/zone-time";

const linkStyle = "inline-block py-3 underline underline-offset-4 hover:decoration-2";

/** A server component, so that neither the device's clock nor its time zone sets the year. */
export function Footer({ brand }: { brand: Brand }) {
  return (
    <footer className="on-dark text-sm print:hidden">
      <div className="page grid gap-6 py-10 md:grid-cols-[2fr_1fr] md:gap-12">
        <p className="max-w-prose text-white/80">
          {brand.product} is provided by {brand.legalName}{" "}
          <span className="whitespace-nowrap">({brand.companyNumber})</span>. We can only fund you if you're eligible
          and sign our agreement. The information here is general. It doesn't take your own needs into account, and it
          isn't tax, legal or financial advice. Ask your tax adviser what you can claim.
        </p>
        <ul className="-my-3">
          <li>
            <a href={brand.legalUrl} target="_blank" rel="noopener noreferrer" className={linkStyle}>
              Legal documents <span className="text-white/80">(opens in a new tab)</span>
            </a>
          </li>
          <li>
            <a href={callLink(brand.supportPhone)} className={linkStyle}>
              {brand.supportPhone}
            </a>
          </li>
          <li>
            <a href={`mailto:${brand.supportEmail}`} className={`${linkStyle} wrap-anywhere`}>
              {brand.supportEmail}
            </a>
          </li>
        </ul>
        <p className="border-white/20 border-t pt-6 text-white/80 md:col-span-2">
          © {dayIn(new Date(), brand).slice(0, 4)} {brand.legalName}
        </p>
      </div>
    </footer>
  );
}
