import "@testing-library/jest-dom";
import { configure } from "@testing-library/react";

// On a busy machine, an awaited element may take longer to appear than the default of one second.
configure({ asyncUtilTimeout: 20_000 });

export const mockRouter = { replace: jest.fn(), push: jest.fn(), prefetch: jest.fn() };
/** The page that the tests are on. */
export const mockPage = { path: "/home" };
beforeEach(() => {
  for (const method of Object.values(mockRouter)) method.mockClear();
  mockPage.path = "/home";
});

jest.mock("next/navigation", () => ({
  useRouter: () => mockRouter,
  usePathname: () => mockPage.path,
  useSelectedLayoutSegment: () => mockPage.path.slice(1) || null,
  useSearchParams: () => new URLSearchParams(window.location.search),
}));
