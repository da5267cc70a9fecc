import { WindowTitle } from "@/components/site/window-title";
import { ButtonLink } from "@/components/ui/button";

export default function NotFound() {
  return (
    <div className="column py-12 sm:py-20">
      <WindowTitle title="Page not found" />
      <h1 className="font-bold text-3xl sm:text-4xl">Page not found</h1>
      <p className="mt-3 mb-8 sm:text-lg">There's nothing at this address. Your application is where you left it.</p>
      <ButtonLink href="/" className="w-full sm:w-auto">
        Go to your application
      </ButtonLink>
    </div>
  );
}
