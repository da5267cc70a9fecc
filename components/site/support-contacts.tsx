import type { Brand } from "@/lib/brand";

/** The lender's contact details, as links large enough to tap. */
export function SupportContacts({ brand }: { brand: Brand }) {
  const { supportPhone, supportEmail, supportHours } = brand;
  return (
    <ul>
      <li>
        <a href={callLink(supportPhone)} className="link inline-block py-2.5 font-semibold">
          {supportPhone}
        </a>
        <span className="block text-ink-soft text-sm">{supportHours}</span>
      </li>
      <li>
        <a href={mailLink(supportEmail)} className="link inline-block wrap-anywhere py-2.5 font-semibold">
          {supportEmail}
        </a>
      </li>
    </ul>
  );
}

export function callLink(phone: string): string {
  return `tel:${phone.replace(/[^\d+]/g, "")}`;
}

export function mailLink(email: string): string {
  return `mailto:${email}`;
}
