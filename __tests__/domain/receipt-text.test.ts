import { agent, belowCap, cap, landlord, lease, rentOverCap } from "@/__tests__/support/answers";
import { defaultBrand } from "@/lib/brand";
import { type ApplicationAnswers, defaultAnswers } from "@/lib/domain/application";
import { centsOf, formatCents } from "@/lib/domain/money";
import * as phones from "@/lib/domain/phone-library";
import { receiptSections } from "@/lib/domain/receipt-text";

function receiptOf(changes: Partial<ApplicationAnswers>) {
  const values = { ...defaultAnswers, ...landlord, ...agent, ...lease, ...changes };
  const sections = receiptSections(values, { ...defaultBrand, phones });
  const text = (label: string) => sections.flatMap(({ rows }) => rows).find((row) => row.label === label)?.text;
  return { text, notes: sections.at(-1)?.notes };
}

const toTheCent = (amount: string) => formatCents(centsOf(amount), defaultBrand, true);

test.each([
  // Columns: rent, invoice, loan, the row of the loan, the notes.
  [rentOverCap, "2450", cap, `${toTheCent(cap)}*`, [`* Capped at maximum loan amount of ${toTheCent(cap)}`]],
  [rentOverCap, "2450", belowCap(1), toTheCent(belowCap(1)), []],
  ["400", belowCap(41_000_00), cap, toTheCent(cap), []],
  ["300", "2450.50", "1000", "$1,000.00", ["$1,450.50 of the repair isn't covered."]],
])(
  "with a rent of %s, costs of %s and a loan of %s, a receipt has the cap's note only if the cap decided the amount",
  (currentRent, invoiceAmount, loanAmount, amount, notes) => {
    const receipt = receiptOf({ currentRent, invoiceAmount, loanAmount });
    expect([receipt.text("Rental Advance"), receipt.notes]).toEqual([amount, notes]);
  },
);

test("a receipt calls the costs an invoice for source ia, and a repair otherwise", () => {
  const amounts = { currentRent: "300", invoiceAmount: "2450", loanAmount: "33650" };
  expect(receiptOf({ ...amounts, source: "ia" }).text("Invoice")).toBe("$2,450.00");
  expect(receiptOf({ ...amounts, source: "" }).text("Repair")).toBe("$2,450.00");
});

test.each([
  ["6421234567", "+64 21 234 567"],
  ["4155550123", "(415) 555-0123"],
  ["12133734253", "+1 (213) 373-4253"],
  ["442079460958", "+44 20 7946 0958"],
  ["61412345678", "+61 412 345 678"],
])("a receipt shows the number %s as %s", (mobile, shown) => {
  expect(receiptOf({ mobile }).text("Mobile")).toBe(shown);
});
