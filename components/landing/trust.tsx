import { SupportContacts } from "@/components/site/support-contacts";
import type { Brand } from "@/lib/brand";

export function Trust({ brand }: { brand: Brand }) {
  return (
    <section aria-labelledby="trust" className="page py-14 lg:py-20">
      <h2 id="trust" className="font-bold text-2xl sm:text-3xl">
        Wondering if this is really from us?
      </h2>
      <p className="mt-2 max-w-prose text-ink-soft">
        It is right to ask before you type anything. Here is how to be sure.
      </p>
      <div className="mt-8 grid gap-8 md:grid-cols-3 md:gap-10">
        <div>
          <h3 className="font-semibold text-lg">Look us up</h3>
          <p className="mt-1 text-ink-soft">
            The lender is {brand.legalName}, <span className="whitespace-nowrap">{brand.companyNumber}</span>. You find
            the same name and number in the agreement, which you see before you sign anything.
          </p>
        </div>
        <div>
          <h3 className="font-semibold text-lg">Keep this link to yourself</h3>
          <p className="mt-1 text-ink-soft">
            It was made for you alone and opens your application and no other. We never ask for a password or a card
            number.
          </p>
        </div>
        <div>
          <h3 className="font-semibold text-lg">Talk to a person</h3>
          <SupportContacts brand={brand} />
        </div>
      </div>
    </section>
  );
}
