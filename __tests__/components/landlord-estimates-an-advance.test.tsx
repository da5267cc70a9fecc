import { act, screen } from "@testing-library/react";
import { hydrateRoot } from "react-dom/client";
import { renderToString } from "react-dom/server";
import { cap, shownCap } from "@/__tests__/support/answers";
import { fakeApi } from "@/__tests__/support/api";
import { Form, inSession, newApplication, savedAnswers, visit } from "@/__tests__/support/applicant";
import { field } from "@/__tests__/support/step-three";
import { Landing } from "@/components/landing/landing";
import { defaultBrand } from "@/lib/brand";

fakeApi();

const landing = <Landing brand={defaultBrand} />;
const untouched = { leaseStartDate: "", leaseEndDate: "", currentRent: "0", loanAmount: "0" };
const application = newApplication({ ...savedAnswers, ...untouched, savedSteps: [1, 2] }, { invoiceAmount: "2450" });
const rent = () => field("Your weekly rent");
const shown = (amount: string) => screen.getByText(amount, { selector: "[role=status]" });

describe("'Your weekly rent' on the landing of source ba", () => {
  test("shows how much it could be, and becomes the typed rent of step 3", async () => {
    const { user, go } = visit(landing, { application });
    expect(shown(shownCap)).toBeVisible();
    await user.type(rent(), "355");
    expect(shown("$36,920")).toBeVisible();
    expect(screen.getByText(/an estimate, not an offer/)).toBeVisible();
    go(<Form />);
    expect(field("Current weekly rent")).toHaveValue("355");
    expect(field("Loan amount")).toHaveValue("39370");
    expect(screen.queryByText(/recalculated/)).toBeNull();
    go(landing, "/");
    expect(rent()).toHaveValue("355");
  });

  test("is capped", async () => {
    const { user, go } = visit(landing, { application });
    await user.type(rent(), "900");
    expect(shown(shownCap)).toBeVisible();
    go(<Form />);
    expect(field("Loan amount")).toHaveValue(cap);
  });

  test("counts what was typed before the scripts had loaded", async () => {
    window.history.replaceState(null, "", "/");
    window.opened = undefined;
    const page = inSession({ state: "authenticated", application, source: "ba" }, landing);
    const container = document.body.appendChild(document.createElement("div"));
    container.innerHTML = renderToString(page);
    rent().value = "$355 pw";
    const root = await act(async () => hydrateRoot(container, page));
    expect(shown("$36,920")).toBeVisible();
    expect(rent()).toHaveValue("355");
    act(() => root.unmount());
    container.remove();
  });

  test.each([
    ["once step 3 is saved", { application: newApplication(savedAnswers) }],
    ["for another source", { application, source: "ia" }],
  ])("is not shown %s", (_, options) => {
    visit(landing, options);
    expect(screen.queryByLabelText("Your weekly rent")).toBeNull();
  });
});
