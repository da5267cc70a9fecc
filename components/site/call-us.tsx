import { useBrand } from "./brand-context";
import { callLink } from "./support-contacts";

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
