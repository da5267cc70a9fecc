"use client";

import { SomethingWentWrong, useReloadOnce } from "@/components/outcome/something-went-wrong";
import { LoadingScreen } from "@/components/session/gate";
import { SupportContacts } from "@/components/site/support-contacts";

export default function ErrorScreen({ error }: { error: Error & { digest?: string } }) {
  if (useReloadOnce(error)) return <LoadingScreen />;
  return (
    <SomethingWentWrong digest={error.digest}>
      <section aria-labelledby="help" className="mt-10 border-line border-t pt-6">
        <h2 id="help" className="mb-2 font-semibold text-lg">
          If it happens again, please tell us
        </h2>
        <SupportContacts />
      </section>
    </SomethingWentWrong>
  );
}
