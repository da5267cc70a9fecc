import "@testing-library/jest-dom";
import { configure } from "@testing-library/react";

// On a busy machine, an awaited element may take longer to appear than the default of one second.
configure({ asyncUtilTimeout: 20_000 });

// Tests that expect a navigation replace this.
jest.mock("next/navigation", () => ({
  useRouter: () => ({ replace: jest.fn(), push: jest.fn(), prefetch: jest.fn() }),
  usePathname: () => "/home",
  useSearchParams: () => new URLSearchParams(window.location.search),
}));
