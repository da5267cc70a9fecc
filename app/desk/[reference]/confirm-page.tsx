import Link from "next/link";
import type { ReactNode } from "react";
import { Banner } from "@/components/ui/banner";
import { Card } from "@/components/ui/card";

interface ConfirmPageProps {
  reference: string;
  title: string;
  /** Why it cannot be done. Shown instead of the children. */
  refused?: string;
  children?: ReactNode;
}

/** Asks before something that an applicant notices or that cannot be undone. */
export function ConfirmPage({ reference, title, refused, children }: ConfirmPageProps) {
  return (
    <div className="column py-6">
      <Card className="grid gap-5">
        <h1 className="wrap-anywhere font-bold text-2xl">{title}</h1>
        {refused ? <Banner tone="error">{refused}</Banner> : children}
        <div>
          <Link href={`/desk/${reference}`} prefetch={false} className="link inline-flex min-h-11 items-center">
            Cancel
          </Link>
        </div>
      </Card>
    </div>
  );
}
