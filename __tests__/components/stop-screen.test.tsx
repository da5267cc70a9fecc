import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { HttpResponse, http } from "msw";
import { setupServer } from "msw/node";
import { StopScreen } from "@/components/outcome/stop-screen";
import { BrandProvider } from "@/components/site/brand-context";
import { defaultBrand } from "@/lib/brand";

const requestQueries: string[] = [];
const server = setupServer(
  http.post("*/api/messages/stop", ({ request }) => {
    requestQueries.push(new URL(request.url).search);
    return HttpResponse.json({ success: true });
  }),
);
beforeAll(() => server.listen({ onUnhandledRequest: "error" }));
afterAll(() => server.close());

function open(search: string, hasCode: boolean) {
  window.history.replaceState(null, "", `/stop${search}`);
  render(
    <BrandProvider value={defaultBrand}>
      <StopScreen hasCode={hasCode} />
    </BrandProvider>,
  );
}

test("the page names the sender, and one press opts out with the code of the message", async () => {
  open("?code=abc", true);
  expect(screen.getByText(new RegExp(defaultBrand.legalName))).toHaveTextContent(defaultBrand.companyNumber);
  await userEvent.dblClick(screen.getByRole("button", { name: "Stop these messages" }));
  expect(await screen.findByText("We won't send you any more invitations or reminders.")).toBeVisible();
  expect(screen.getByRole("status")).toHaveTextContent(
    "If you've applied, we'll still send you updates on your application.",
  );
  expect(requestQueries).toEqual(["?code=abc"]);
});

test("a truncated link shows whom to contact, and no button", () => {
  open("", false);
  expect(screen.queryByRole("button")).toBeNull();
  expect(screen.getByText(/This link isn't complete/)).toBeVisible();
  expect(screen.getByRole("link", { name: defaultBrand.supportEmail })).toBeVisible();
});
