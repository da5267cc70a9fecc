import { render, waitFor } from "@testing-library/react";
import { BrandProvider } from "@/components/site/brand-context";
import { useWindowTitle } from "@/components/site/window-title";
import { defaultBrand } from "@/lib/brand";

function Screen() {
  useWindowTitle("No access");
  return null;
}

/** Counts how often document.title is set. From the 20th time on it stays unset, so that a loop ends and fails the test. */
function countSets(): () => number {
  const { set } = Object.getOwnPropertyDescriptor(Document.prototype, "title") ?? {};
  let sets = 0;
  jest.spyOn(document, "title", "set").mockImplementation((title) => {
    sets += 1;
    if (sets < 20) set?.call(document, title);
  });
  return () => sets;
}

beforeEach(() => {
  Object.defineProperty(document, "title", {
    ...Object.getOwnPropertyDescriptor(Document.prototype, "title"),
    configurable: true,
  });
});
afterEach(() => jest.restoreAllMocks());

test("a product's name with two spaces in it names the window once", async () => {
  const sets = countSets();
  render(
    <BrandProvider value={{ ...defaultBrand, product: "Rent  Ahead" }}>
      <Screen />
    </BrandProvider>,
  );
  document.head.append(document.createElement("meta"));
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(document.title).toBe("No access – Rent Ahead");
  expect(sets()).toBe(1);
});

test("a window title set by other code is restored", async () => {
  render(
    <BrandProvider value={defaultBrand}>
      <Screen />
    </BrandProvider>,
  );
  document.title = "Your application";
  await waitFor(() => expect(document.title).toBe(`No access – ${defaultBrand.product}`));
});
