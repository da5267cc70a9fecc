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

test("a receipt names the time zone of its times", () => {
  visitReceipt();
  const instant = new Date("2026-03-01T01:30:00.000Z");
  const zone = new Intl.DateTimeFormat("en-US", { timeZoneName: "short" }).formatToParts(instant).at(-1)?.value;
  expect(screen.getByText(/2026 at \d+:\d\d [AP]M/)).toHaveTextContent(new RegExp(`${zone?.replace("+", "\\+")}$`));
});
