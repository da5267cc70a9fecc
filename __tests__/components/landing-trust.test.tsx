import { render, screen } from "@testing-library/react";
import { newApplication, visit } from "@/__tests__/support/applicant";
import { landings } from "@/__tests__/support/landings";
import { Landing } from "@/components/landing/landing";
import { Footer } from "@/components/site/footer";
import { defaultBrand } from "@/lib/brand";

describe("'Look us up' on the landing", () => {
  const landing = (registerUrl: string) =>
    visit(<Landing brand={{ ...defaultBrand, registerUrl }} />, { application: newApplication() });

  test("names the licence, and links the public register", () => {
    landing("https://register.example/000000");
    expect(screen.getByRole("heading", { name: "Look us up" })).toBeVisible();
    expect(document.body).toHaveTextContent("ACN 000 000 000, Australian credit licence 000000.");
    const link = screen.getByRole("link", { name: /^Find us on the public register/ });
    expect(link).toHaveAttribute("href", "https://register.example/000000");
  });

  test("is not offered without a register", () => {
    landing("");
    expect(screen.queryByText(/look us up/i)).toBeNull();
    expect(screen.queryByRole("link", { name: /register/ })).toBeNull();
  });
});

test.each(Object.values(landings))("the landing from source '$source' has its own heading and start", (shown) => {
  const { source, heading, start } = shown;
  visit(<Landing brand={defaultBrand} />, { application: newApplication(), source });
  expect(screen.getByRole("heading", { level: 1 })).toHaveTextContent(heading);
  expect(screen.getByRole("link", { name: start })).toBeVisible();
});

test("each variant of the landing has a heading of its own", () => {
  const headings = Object.values(landings).map(({ heading }) => heading);
  expect(new Set(headings).size).toBe(headings.length);
});

describe("the sample invoice on the landing", () => {
  const landing = (quote: string) =>
    visit(<Landing brand={defaultBrand} />, { application: newApplication({}, { invoiceAmount: quote }), source: "" });

  test("is marked as an example, and the invitation's quote stands below it", () => {
    landing("3100");
    expect(screen.getByText("Example")).toBeVisible();
    expect(screen.getByText("Your quote: $3,100.00")).toBeVisible();
  });

  test("has no quote below it where the invitation has none", () => {
    landing("");
    expect(screen.queryByText(/Your quote/)).toBeNull();
  });
});

test("the copyright line has the lender's year, and only one full stop after 'Inc.'", () => {
  // It is 2027 in Sydney already.
  jest.useFakeTimers({ now: new Date("2026-12-31T13:30:00Z") });
  render(<Footer brand={{ ...defaultBrand, legalName: "Elm Lending Inc." }} />);
  expect(screen.getByText(/^© 2027 Elm Lending Inc\./)).toHaveTextContent(/^© 2027 Elm Lending Inc\.(?!\.)/);
  jest.useRealTimers();
});
