import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { fakeApi } from "@/__tests__/support/api";
import { renderPage } from "@/__tests__/support/applicant";
import { mockPage } from "@/__tests__/support/component-tests";
import { StopScreen } from "@/components/outcome/stop-screen";
import { defaultBrand } from "@/lib/brand";

const api = fakeApi();

function open(search: string, hasCode: boolean) {
  mockPage.path = "/stop";
  window.history.replaceState(null, "", `/stop${search}`);
  renderPage(<StopScreen hasCode={hasCode} />);
}

test("the page names the sender, and one press opts out with the code of the message", async () => {
  api.answers("/api/messages/stop", {});
  open("?code=abc", true);
  expect(screen.getByText(new RegExp(defaultBrand.legalName))).toHaveTextContent(defaultBrand.companyNumber);
  await userEvent.dblClick(screen.getByRole("button", { name: "Stop these messages" }));
  expect(await screen.findByText("We won't send you any more invitations or reminders.")).toBeVisible();
  expect(screen.getByRole("heading", { name: "We've stopped the messages" })).toHaveFocus();
  expect(screen.queryByRole("heading", { name: "Stop invitations and reminders" })).toBeNull();
  expect(screen.getByText(/If you've applied, we'll still send you updates on your application/)).toBeVisible();
  expect(api.calls).toEqual([{ path: "/api/messages/stop?code=abc", body: {} }]);
});

test("a truncated link shows whom to contact, and no button", () => {
  open("", false);
  expect(screen.queryByRole("button")).toBeNull();
  expect(screen.getByText(/This link isn't complete/)).toBeVisible();
  expect(screen.getByRole("link", { name: defaultBrand.supportEmail })).toBeVisible();
});
