"use client";

import { WentWrong } from "@/components/outcome/went-wrong";
import "./globals.css";

interface GlobalErrorProps {
  error: Error & { digest?: string };
}

/** For a failure of the layout itself. Next's own page has inline styles, which the content security policy refuses. */
export default function GlobalError({ error }: GlobalErrorProps) {
  return (
    <html lang="en">
      <body>
        <main>
          <WentWrong digest={error.digest} />
        </main>
      </body>
    </html>
  );
}
