import Link from "next/link";
import type { ReactNode } from "react";
import { changePath, type ReturnTarget } from "@/components/form/step-history";
import type { AnswerStep } from "@/lib/domain/journey";

export interface StepLinkProps {
  step: AnswerStep;
  /** The review that holds the link. Next returns to it. */
  returnsTo: ReturnTarget;
  onOpen: (step: AnswerStep) => void;
  className?: string;
  children?: ReactNode;
}

/** A review's link to a step. */
export function StepLink({ step, returnsTo, onOpen, className = "", children }: StepLinkProps) {
  return (
    <Link
      prefetch={false}
      href={changePath(step, returnsTo)}
      className={`link ${className}`}
      onNavigate={(event) => {
        event.preventDefault();
        onOpen(step);
      }}
    >
      {children}
    </Link>
  );
}
