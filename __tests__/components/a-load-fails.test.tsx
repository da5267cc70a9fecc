import "@testing-library/jest-dom";
import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { fakeApi } from "@/__tests__/support/api";
import { Gate } from "@/components/session/gate";
import { SessionProvider } from "@/components/session/session-provider";

jest.mock("next/navigation", () => ({ useRouter: () => ({ replace: jest.fn() }), usePathname: () => "/home" }));

const api = fakeApi();

test("a landlord can dismiss the banner of a failed load and try again; a second failure shows the banner again", async () => {
  api.answers("verify-token", { status: 503, body: { success: false, message: "Away" } });
  const user = userEvent.setup();
  render(
    <SessionProvider initial={{ state: "loading" }}>
      <Gate>screen</Gate>
    </SessionProvider>,
  );
  expect(await screen.findByText("Failed to load form data")).toBeVisible();
  await user.click(screen.getByRole("button", { name: "Dismiss: Failed to load form data" }));
  expect(screen.queryByRole("alert")).toBeNull();
  await user.click(screen.getByRole("button", { name: "Try again" }));
  expect(await screen.findByText("Failed to load form data")).toBeVisible();
});
