import { SupportContacts } from "@/components/site/support-contacts";
import type { Brand } from "@/lib/brand";
import { maximumAdvance } from "@/lib/domain/advance";
import { formatCents } from "@/lib/domain/money";
import { HowItWorks } from "./how-it-works";
import { InvoiceCard } from "./invoice-card";
import { OfferCard } from "./offer-card";
import { Addressee, BeforeSubmission, ByVariant, CallToAction, Quote } from "./with-session";

/** A server component, because text needs no script. Only the parts that need the session are client components. */
export function Landing({ brand }: { brand: Brand }) {
  return (
    <BeforeSubmission>
      <title>{`${brand.product} by ${brand.name}`}</title>
      <Hero brand={brand} />
      <HowItWorks brand={brand} />
      <Trust brand={brand} />
    </BeforeSubmission>
  );
}

/** Where the two landings differ (specification, section 1), except one title in HowItWorks, and the button to the form. */
function Hero({ brand }: { brand: Brand }) {
  const maximum = formatCents(maximumAdvance, brand);
  return (
    <div className="page grid grid-cols-1 items-start gap-10 pt-7 pb-14 sm:pt-12 sideways:pt-4 md:grid-cols-[1fr_20rem] md:gap-8 lg:grid-cols-[1.15fr_1fr] lg:gap-16 lg:py-20">
      {/* At the top: centred beside the card, it would move while the card arrives. */}
      <div className="lg:pt-12">
        <p className="mb-2 font-semibold text-brand text-sm sideways:mb-0 sm:text-base">
          <Addressee />
        </p>
        <h1 className="font-bold text-3xl sideways:text-2xl sm:text-4xl lg:text-5xl">
          <ByVariant
            variants={{
              "pre-approval": "Get pre-approved for flexible property funding",
              invoice: "Unlock future rental income today",
            }}
          />
        </h1>
        <p className="mt-3 max-w-[34rem] text-ink-soft sideways:mt-2 sideways:text-base sm:mt-4 sm:text-lg">
          <ByVariant
            variants={{
              "pre-approval": `Find out how much you could access (up to ${maximum}) with no obligation.`,
              invoice: `Cover a repair or any bill for your rental property now, and repay it from your rent. Up to ${maximum}, paid straight to your agent.`,
            }}
          />
        </p>
        <div className="mt-6 sideways:mt-4 sm:mt-8">
          <CallToAction />
        </div>
      </div>
      <ByVariant variants={{ "pre-approval": <OfferCard brand={brand} />, invoice: <SampleInvoice brand={brand} /> }} />
    </div>
  );
}

function SampleInvoice({ brand }: { brand: Brand }) {
  return (
    <div>
      <InvoiceCard brand={brand} />
      <Quote />
    </div>
  );
}

function Trust({ brand }: { brand: Brand }) {
  return (
    <section aria-labelledby="trust" className="page py-14 lg:py-20">
      <h2 id="trust" className="font-bold text-2xl sm:text-3xl">
        Wondering if this is really from us?
      </h2>
      <p className="mt-2 max-w-prose text-ink-soft">It pays to check before you type anything. Here's how.</p>
      <div className="mt-8 grid gap-8 md:grid-cols-[1fr_1fr_fit-content(16rem)] md:gap-10 lg:grid-cols-3">
        <div>
          <h3 className="font-semibold text-lg">{brand.registerUrl ? "Look us up" : "Check our name"}</h3>
          <p className="mt-1 text-ink-soft">
            The lender is {brand.legalName}, <span className="whitespace-nowrap">{brand.companyNumber}</span>,{" "}
            {brand.licence}. You'll see the same name in the agreement before you sign anything.
          </p>
          {brand.registerUrl && (
            <a
              href={brand.registerUrl}
              target="_blank"
              rel="noopener noreferrer"
              className="link inline-block py-2.5 font-semibold"
            >
              Find us on the public register (opens in a new tab)
            </a>
          )}
        </div>
        <div>
          <h3 className="font-semibold text-lg">Keep your link to yourself</h3>
          <p className="mt-1 text-ink-soft">
            It's yours alone, and it opens only your application. We'll never ask you for a password or a card number.
          </p>
        </div>
        <div>
          <h3 className="font-semibold text-lg">Talk to a person</h3>
          <SupportContacts />
        </div>
      </div>
    </section>
  );
}
