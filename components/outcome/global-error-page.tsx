import { Styles } from "@/components/site/styles";
import { SomethingWentWrong } from "./something-went-wrong";

/** Shown when the root layout throws. Next's default page uses inline styles, which our Content-Security-Policy blocks. */
export function GlobalErrorPage({ error }: { error: Error & { digest?: string } }) {
  return (
    <html lang="en">
      <body>
        <Styles />
        <main>
          <SomethingWentWrong digest={error.digest} />
        </main>
      </body>
    </html>
  );
}
