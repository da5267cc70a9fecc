"use client";

import { SomethingWentWrong } from "@/components/outcome/something-went-wrong";
import { Styles } from "@/components/site/styles";
import "./site.css";

/** Shown when the root layout throws. Next's default page uses inline styles, which our Content-Security-Policy blocks. */
export default function GlobalError({ error }: { error: Error & { digest?: string } }) {
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
