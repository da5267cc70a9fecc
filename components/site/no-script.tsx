import type { Brand } from "@/lib/brand";
import { SupportContacts } from "./support-contacts";

/** For browsers with scripts switched off. */
export function NoScript({ brand }: { brand: Brand }) {
  return (
    <noscript>
      <div className="page border-accent border-b-4 bg-accent-soft py-4">
        <p className="font-semibold">JavaScript is switched off in this browser.</p>
        <p>
          Your application needs it. Switch it on for this site in the browser’s settings, or open the link in our
          message with another browser. You can also call or write to us:
        </p>
        <SupportContacts brand={brand} />
      </div>
    </noscript>
  );
}
