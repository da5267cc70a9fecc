import { ButtonLink } from "@/components/ui/button";

export default function NotFound() {
  return (
    <div className="column py-12 sm:py-20">
      <h1 className="mb-4 font-bold text-3xl">Page not found</h1>
      <p className="mb-8">There's nothing at this address.</p>
      <ButtonLink href="/desk">Go to the applications</ButtonLink>
    </div>
  );
}
