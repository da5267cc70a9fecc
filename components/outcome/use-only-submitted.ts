import { useRouter } from "next/navigation";
import { useEffect } from "react";
import { useApplication } from "@/components/session/session-context";
import { isSubmitted } from "@/lib/domain/journey";

/** The application of a screen that claims a submission: where there is none it is null, and the visitor is sent to the form. */
export function useOnlySubmitted() {
  const { application } = useApplication();
  const router = useRouter();
  const submitted = isSubmitted(application) ? application : null;
  const isDraft = submitted === null;
  useEffect(() => {
    if (isDraft) router.replace("/home");
  }, [isDraft, router]);
  return submitted;
}
