"use client";

import { SomethingWentWrong } from "@/components/outcome/something-went-wrong";
import { Styles } from "@/components/site/styles";
import "./desk/desk.css";

/** Shown when the desk's layout throws, as while the database is down. */
export default function DeskGlobalError({ error }: { error: Error & { digest?: string } }) {
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
