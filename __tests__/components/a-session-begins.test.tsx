import { render, waitFor } from "@testing-library/react";
import { fakeApi } from "@/__tests__/support/api";
import { SessionProvider } from "@/components/session/session-provider";

const router = { replace: jest.fn() };
jest.mock("next/navigation", () => ({ useRouter: () => router, usePathname: () => "/home" }));

const api = fakeApi();

test("a link that is no longer valid takes its token and every draft off the device", async () => {
  api.answers("verify-token", { status: 401, body: { success: false, message: "Token verification failed" } });
  localStorage.setItem("draft_K7QM-4XRT", "{}");
  localStorage.setItem("auth_source", "ba");
  render(<SessionProvider initial={{ state: "loading" }}>screen</SessionProvider>);
  await waitFor(() => expect(router.replace).toHaveBeenCalledWith("/un-authorized"));
  expect(Object.keys(localStorage)).toEqual(["auth_source"]);
});
