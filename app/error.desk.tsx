"use client";

import { SomethingWentWrong, useReloadOnce } from "@/components/outcome/something-went-wrong";

/** A page of the desk that failed. Its header stays. */
export default function DeskError({ error }: { error: Error & { digest?: string } }) {
  return useReloadOnce(error) ? null : <SomethingWentWrong digest={error.digest} />;
}
