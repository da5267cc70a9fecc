"use client";

import { callLink, needsEmail } from "@/lib/brand";
import { useBrand } from "./brand-context";

/** The lender's contact details, as links large enough to tap. */
export function SupportContacts() {
  const { supportPhone, supportEmail, supportHours } = useBrand();
  return (
    <ul>
      <li>
        <a href={callLink(supportPhone)} className="link inline-block py-2.5 font-semibold print:py-0">
          {supportPhone}
        </a>
        <span className="block text-ink-soft text-sm">{supportHours}</span>
      </li>
      <li>
        <a href={`mailto:${supportEmail}`} className="link inline-block wrap-anywhere py-2.5 font-semibold print:py-0">
          {supportEmail}
        </a>
      </li>
    </ul>
  );
}

interface PhoneOrEmailProps {
  /** The landlord's own number, in digits. */
  mobile: string;
  className: string;
}

/** The number to call, and the email address for those who cannot call it. */
export function PhoneOrEmail({ mobile, className }: PhoneOrEmailProps) {
  const brand = useBrand();
  return (
    <>
      <a href={callLink(brand.supportPhone)} className={`${className} whitespace-nowrap`}>
        {brand.supportPhone}
      </a>
      {needsEmail(brand, mobile) && (
        <>
          {" or email "}
          <a href={`mailto:${brand.supportEmail}`} className={`${className} wrap-anywhere`}>
            {brand.supportEmail}
          </a>
        </>
      )}
    </>
  );
}

/** A question, followed by the number to call: 'Changed agents? Call us: …' */
export function CallUs({ question, mobile }: { question: string; mobile: string }) {
  return (
    <span className="mt-1 block border-accent border-l-4 pl-3 font-semibold text-ink">
      {question} Call us: <PhoneOrEmail mobile={mobile} className="link py-2.5" />
    </span>
  );
}
