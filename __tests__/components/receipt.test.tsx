import "@testing-library/jest-dom";
import { screen } from "@testing-library/react";
import { fakeApi } from "@/__tests__/support/api";
import { newApplication, savedAnswers, visit } from "@/__tests__/support/applicant";
import { ReceiptScreen } from "@/components/review/receipt-screen";

jest.mock("next/navigation", () => ({ useRouter: () => ({ replace: jest.fn(), push: jest.fn() }) }));

fakeApi();

function visitReceipt() {
  const application = newApplication({
    ...savedAnswers,
    currentRent: "300.1",
    status: "submitted",
    submittedAt: "2026-03-01T01:30:00.000Z",
  });
  visit(<ReceiptScreen />, { application });
}

test("a receipt has the cents of every amount", () => {
  visitReceipt();
  const text = document.body.textContent ?? "";
  expect(text.match(/\$[\d,.]*\d/g)).toEqual(expect.arrayContaining(["$300.10", "$2,450.00", "$33,650.00"]));
  for (const amount of text.match(/\$[\d,.]*\d/g) ?? []) expect(amount).toMatch(/\.\d\d$/);
});

test("a receipt has the lender's times, and names their zone as people say it", () => {
  visitReceipt();
  expect(screen.getByText(/2026 at \d+:\d\d/)).toHaveTextContent(/^March 1, 2026 at 12:30 PM AEDT$/);
});
