import { act, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { fakeApi } from "@/__tests__/support/api";
import { asSubmitted, newApplication, savedAnswers, visit } from "@/__tests__/support/applicant";
import { ReceiptScreen } from "@/components/application/review/receipt-screen";
import type { AgreedConsent } from "@/lib/domain/application";

const api = fakeApi();
const receipt = {
  record: { reference: "K7QM-4XRT" },
  leaf: { index: 0, hash: "1eaf".repeat(16) },
  first: {
    head: { size: 13, root: "4007".repeat(16), at: "2026-03-01T01:30:01.000Z", key: "a2V5", signature: "c2lnbmVk" },
  },
};
beforeEach(() => api.answers("receipt", { body: { success: true, data: receipt } }));
afterEach(() => jest.useRealTimers());

function visitReceipt(agreed: Partial<AgreedConsent> = {}) {
  const application = asSubmitted(newApplication({ ...savedAnswers, currentRent: "300.1" }), agreed);
  visit(<ReceiptScreen />, { application });
}

test("a receipt shows the words and the limits of its record, whatever the app says today", () => {
  const rows = [{ label: "Weekly rent, as it was called", text: "$900.00" }];
  const notes = ["* Capped at maximum loan amount of $40,000.00"];
  visitReceipt({
    version: "2025-01-01",
    document: "Version 2025-01-01\n\nAn older text.\n\n[ ] One.\n\n[ ] Two.\n\n[ ] Three.",
    receipt: [{ title: "The lease", rows, notes }],
  });
  const text = document.body.textContent ?? "";
  const printed = text.slice(text.indexOf("The lease"), text.indexOf("The lender"));
  expect(printed).toBe(
    "The leaseWeekly rent, as it was called$900.00* Capped at maximum loan amount of $40,000.00What you agreed to" +
      "You agreed to version 2025-01-01 of this text on March 1, 2026 at 12:30 PM AEDT.An older text." +
      "Ticked: One.Not ticked: Two.Ticked: Three.",
  );
});

test("a receipt shows every amount with its cents", () => {
  visitReceipt();
  const text = document.body.textContent ?? "";
  expect(text.match(/\$[\d,.]*\d/g)).toEqual(expect.arrayContaining(["$300.10", "$2,450.00", "$33,650.00"]));
  for (const amount of text.match(/\$[\d,.]*\d/g) ?? []) expect(amount).toMatch(/\.\d\d$/);
});

test("a receipt shows its place in the evidence log, and downloads what proves it", async () => {
  let saved: Blob | undefined;
  URL.createObjectURL = (blob: Blob) => {
    saved = blob;
    return "blob:proof";
  };
  URL.revokeObjectURL = () => {};
  const clicked = jest.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(() => {});
  visitReceipt();
  const proof = await screen.findByRole("region", { name: "Proof of this receipt" });
  expect(within(proof).getByText("0")).toBeVisible();
  const show = within(proof).getByRole("button", { name: "Show the technical proof" });
  expect(show).toHaveAttribute("aria-expanded", "false");
  await userEvent.click(show);
  expect(show).toHaveAttribute("aria-expanded", "true");
  // Everything that the signature covers, exactly, because a printed receipt has no other copy of it.
  const { leaf, first } = receipt;
  const line = within(proof).getByText(/^\{"leaf"/).textContent ?? "";
  expect(JSON.parse(line)).toEqual({ leaf, head: first.head });
  await userEvent.click(within(proof).getByRole("button", { name: "Download the proof as a file" }));
  expect((clicked.mock.contexts[0] as HTMLAnchorElement).download).toMatch(/^receipt-.+\.json$/);
  expect(JSON.parse((await saved?.text()) ?? "")).toEqual(receipt);
});

test("the proof appears as soon as the log has it", async () => {
  jest.useFakeTimers();
  api.answers("receipt", { body: { success: true, data: null } }, { body: { success: true, data: receipt } });
  visitReceipt();
  const status = screen.getByRole("status");
  await act(() => jest.advanceTimersByTimeAsync(500));
  expect(status).toHaveTextContent("We're preparing the proof of this receipt.");
  await act(() => jest.advanceTimersByTimeAsync(4000));
  expect(screen.getByText(/^\{"leaf"/)).toBeVisible();
  expect(status).toHaveTextContent("The proof of this receipt is ready.");
});

test.each([
  ["has no leaf", { body: { success: true, data: null } }],
  ["cannot be loaded", { status: 503, body: { success: false } }],
])("a receipt whose proof %s keeps asking for 45 seconds, then says how to try again", async (_, answer) => {
  jest.useFakeTimers();
  api.answers("receipt", answer);
  visitReceipt();
  const status = screen.getByRole("status");
  await act(() => jest.advanceTimersByTimeAsync(44_000));
  expect(status).toHaveTextContent("We're preparing the proof of this receipt.");
  await act(() => jest.advanceTimersByTimeAsync(4000));
  expect(status).toHaveTextContent("To try again, reload this page.");
  expect(api.calls).toHaveLength(6);
  expect(screen.queryByRole("region", { name: "Proof of this receipt" })).toBeNull();
  expect(screen.getByRole("heading", { name: "Your receipt" })).toBeVisible();
});

test("a receipt shows times in the lender's time zone, under its local name", () => {
  visitReceipt();
  expect(screen.getAllByText("March 1, 2026 at 12:30 PM AEDT").length).toBeGreaterThan(0);
});
