import "@testing-library/jest-dom";
import type { ReactNode } from "react";
import { fakeApi } from "@/__tests__/support/api";
import { newApplication, savedAnswers, visit } from "@/__tests__/support/applicant";
import { Received } from "@/components/landing/received";
import { SubmittedState } from "@/components/outcome/submitted-state";
import { SuccessScreen } from "@/components/outcome/success-screen";
import { ReceiptScreen } from "@/components/review/receipt-screen";
import { standings } from "@/lib/domain/standing";

jest.mock("next/navigation", () => ({ useRouter: () => ({ replace: jest.fn(), push: jest.fn() }) }));

fakeApi();

const declined = {
  ...newApplication({ ...savedAnswers, submittedAt: "2026-03-01T01:30:00.000Z" }),
  status: "declined",
} as const;

test.each<[where: string, screen: ReactNode, told: string]>([
  ["the landing", <Received key="landing" application={declined} />, standings.declined.heading],
  ["the form's address", <SubmittedState key="form" application={declined} />, standings.declined.heading],
  ["the thank-you page", <SuccessScreen key="thanks" />, standings.declined.heading],
  ["the receipt", <ReceiptScreen key="receipt" />, standings.declined.name],
])("after a decline %s says so, and neither thanks nor congratulates nor promises", (_, screen, told) => {
  visit(screen, { application: declined });
  expect(document.body).toHaveTextContent(told);
  expect(document.body).not.toHaveTextContent(/success|congratulat|good news|thank|has been submitted|funds are paid/i);
});
