"use client";

import { callLink } from "@/lib/brand";
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

/** A question, followed by the number to call: 'Changed agents? Call us: …' */
export function CallUs({ question }: { question: string }) {
  const { supportPhone } = useBrand();
  return (
    <span className="mt-1 block border-accent border-l-4 pl-3 font-semibold text-ink">
      {question} Call us:{" "}
      <a href={callLink(supportPhone)} className="link inline-block py-2.5">
        {supportPhone}
      </a>
    </span>
  );
}
