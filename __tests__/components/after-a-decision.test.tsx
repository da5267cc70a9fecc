import "@testing-library/jest-dom";
import { screen } from "@testing-library/react";
import type { ReactNode } from "react";
import { fakeApi } from "@/__tests__/support/api";
import { newApplication, savedAnswers, visit } from "@/__tests__/support/applicant";
import { Landing } from "@/components/landing/landing";
import { SubmittedState } from "@/components/outcome/submitted-state";
import { SuccessScreen } from "@/components/outcome/success-screen";
import { ReceiptScreen } from "@/components/review/receipt-screen";
import { UnlessDeclined } from "@/components/session/unless-declined";
import { BenefitsBar } from "@/components/site/benefits-bar";
import { defaultBrand } from "@/lib/brand";
import { applicationStatuses } from "@/lib/domain/journey";
import { statusHeadings } from "@/lib/domain/status-words";

jest.mock("next/navigation", () => ({
  useRouter: () => ({ replace: jest.fn(), push: jest.fn() }),
  usePathname: () => "/home",
}));

const api = fakeApi();
beforeEach(() => api.answers("receipt", { body: { success: true, data: null } }));

const declined = {
  ...newApplication({ ...savedAnswers, submittedAt: "2026-03-01T01:30:00.000Z" }),
  status: "declined",
} as const;

test.each<[where: string, page: ReactNode, told: string]>([
  ["the landing", <Landing key="landing" brand={defaultBrand} />, statusHeadings.declined.heading],
  ["the form's address", <SubmittedState key="form" application={declined} />, statusHeadings.declined.heading],
  ["the thank-you page", <SuccessScreen key="thanks" />, statusHeadings.declined.heading],
  ["the receipt", <ReceiptScreen key="receipt" />, statusHeadings.declined.name],
])("after a decline %s says so, and neither thanks nor congratulates nor promises", (_, page, told) => {
  visit(page, { application: declined });
  expect(document.body).toHaveTextContent(told);
  expect(document.body).not.toHaveTextContent(/success|congratulat|good news|thank|has been submitted|funds are paid/i);
});

test.each<[where: string, page: ReactNode]>([
  ["the landing", <Landing key="landing" brand={defaultBrand} />],
  ["the form's address", <SubmittedState key="form" application={declined} />],
  ["the thank-you page", <SuccessScreen key="thanks" />],
])("after a decline %s says whom to ask", (_, page) => {
  visit(page, { application: declined });
  for (const contact of ["1800 000 000", "help@wattlelane.example"])
    expect(screen.getByRole("link", { name: contact })).toBeVisible();
});

test.each(applicationStatuses)("the benefits are shown to whoever is '%s', unless declined", (status) => {
  const bar = (
    <UnlessDeclined>
      <BenefitsBar brand={defaultBrand} />
    </UnlessDeclined>
  );
  visit(bar, { application: { ...declined, status } });
  expect(screen.queryAllByText("Interest is tax deductible")).toHaveLength(status === "declined" ? 0 : 1);
});

describe.each(["ba", "ia", ""])("the landing of source '%s'", (source) => {
  test.each(applicationStatuses.filter((status) => status !== "draft"))(
    "is headed by the status once the application is %s, and advertises nothing",
    (status) => {
      visit(<Landing brand={defaultBrand} />, { application: { ...declined, status }, source });
      expect(screen.getByRole("heading", { level: 1 })).toHaveTextContent(statusHeadings[status].heading);
      expect(screen.getAllByRole("heading")).toHaveLength(1);
      expect(document.body).toHaveTextContent("K7QM-4XRT");
      expect(screen.getByRole("link", { name: "See your application" })).toHaveAttribute("href", "/submit-success");
      expect(document.body).not.toHaveTextContent(/pre-approv|up to|could access|future rental income|how it works/i);
      expect(document.body).not.toHaveTextContent(/sample invoice|\$2,450|flexible|get started/i);
    },
  );
});
