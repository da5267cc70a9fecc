import { screen, waitFor } from "@testing-library/react";
import { fakeApi } from "@/__tests__/support/api";
import { realTimers } from "@/__tests__/support/real-timers";
import { field, visitStepThree } from "@/__tests__/support/step-three";

const api = fakeApi();
afterEach(() => jest.useRealTimers());

describe("the lease dates on step 3", () => {
  test("repeats a date in words, and says when it is today", async () => {
    // Only the date is faked, because a run may begin before midnight and check after it.
    jest.useFakeTimers({ now: new Date(2026, 11, 31), doNotFake: realTimers });
    const { user } = visitStepThree();
    await user.type(field("Lease start date"), "2026-03-01");
    expect(screen.getByText("March 1, 2026")).toBeVisible();
    await user.clear(field("Lease end date"));
    await user.type(field("Lease end date"), "2026-12-31");
    expect(screen.getByText(/That's today. Change it if you meant another day/)).toBeVisible();
  });

  test("says that the lease has ended by the lender's day, whatever the device's clock says", () => {
    jest.useFakeTimers({ now: new Date("2019-01-01T00:00:00Z"), doNotFake: realTimers });
    visitStepThree({ leaseStartDate: "2019-03-01", leaseEndDate: "2026-12-30" });
    expect(screen.getByText(/^December 30, 2026. That date has passed/)).toBeVisible();
  });

  test("warns of a lease that has ended, without an error", async () => {
    const { user } = visitStepThree({ leaseStartDate: "2019-03-01" });
    await user.type(field("Lease end date"), "2020-02-29");
    await user.tab();
    const remark =
      "February 29, 2020. That date has passed. If there's a newer lease, enter its dates. If it's now month to month, keep this date.";
    expect(screen.getByText(remark)).toBeVisible();
    expect(field("Lease end date")).not.toHaveAttribute("aria-invalid");
    await user.clear(field("Lease end date"));
    await user.type(field("Lease end date"), "2199-12-31");
    expect(screen.queryByText(/date has passed/)).toBeNull();
    expect(field("Lease start date")).not.toHaveAccessibleDescription(/date has passed/);
  });

  test("asks to finish a partial date until it is complete or empty", async () => {
    const { user } = visitStepThree();
    const start = field("Lease start date");
    let isPartial = true;
    // jsdom's date inputs have no separate parts, so the test sets their validity.
    Object.defineProperty(start, "validity", { get: () => ({ badInput: isPartial }) });
    await user.click(start);
    await user.tab();
    expect(await screen.findByText("Lease start date isn't complete: enter its day, month and year")).toBeVisible();
    isPartial = false;
    await user.click(start);
    await user.tab();
    expect(await screen.findByText("Lease start date is required")).toBeVisible();
    await user.type(start, "2026-03-01");
    expect(start).toHaveAccessibleDescription("March 1, 2026");
  });

  test.each([
    ["end date", "start date", "2025-03-01"],
    ["start date", "end date", "2027-06-01"],
  ])("drops the server's refusal of the %s once the %s changes", async (refused, other, date) => {
    const name = { "start date": "leaseStartDate", "end date": "leaseEndDate" }[refused] ?? "";
    const errors = { [name]: "The lease must be a year long", currentRent: "We don't know this rent" };
    api.answers("submit-step-3", { status: 422, body: { success: false, errors } });
    const lease = { leaseStartDate: "2026-03-01", leaseEndDate: "2027-02-28", currentRent: "300", loanAmount: "33650" };
    const { user } = visitStepThree(lease);
    await user.click(screen.getByRole("button", { name: "Next" }));
    await screen.findByRole("alert", { name: "There is a problem" });
    await user.clear(field(`Lease ${other}`));
    await user.type(field(`Lease ${other}`), date);
    await user.tab();
    await waitFor(() => expect(field(`Lease ${refused}`)).not.toHaveAttribute("aria-invalid"));
    expect(field("Current weekly rent")).toHaveAttribute("aria-invalid");
  });

  test("requires the lease to end after it starts, and then shows the error alone", async () => {
    const { user } = visitStepThree({ leaseStartDate: "2026-03-01" });
    await user.type(field("Lease end date"), "2026-03-01");
    await user.tab();
    expect(await screen.findByText("Lease end date must be after the start date")).toBeVisible();
    expect(field("Lease end date")).toHaveAccessibleDescription("Error: Lease end date must be after the start date");
    expect(screen.queryByText(/date has passed/)).toBeNull();
  });
});
