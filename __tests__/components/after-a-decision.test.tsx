import { screen, within } from "@testing-library/react";
import type { ReactNode } from "react";
import { shownCap } from "@/__tests__/support/answers";
import { fakeApi } from "@/__tests__/support/api";
import { Form, newApplication, ReviewPage, renderPage, savedAnswers, visit } from "@/__tests__/support/applicant";
import { mockRouter as router } from "@/__tests__/support/component-tests";
import { ReceiptScreen } from "@/components/application/review/receipt-screen";
import { Landing } from "@/components/landing/landing";
import { SubmittedState, SuccessScreen } from "@/components/outcome/status-screens";
import { BenefitsBar } from "@/components/session/benefits-bar";
import { BrandProvider } from "@/components/site/brand-context";
import { defaultBrand } from "@/lib/brand";
import { applicationStatuses, statuses, statusesAfterSubmission } from "@/lib/domain/statuses";

const api = fakeApi();
// The receipt screen requests its proof, which these tests do not need.
beforeEach(() => api.answers("receipt", { status: 503, body: { success: false } }));

const declined = {
  ...newApplication({ ...savedAnswers, submittedAt: "2026-03-01T01:30:00.000Z" }),
  status: "declined",
} as const;

// The first test, because the status stays loaded for the others.
test("the landing shows that it is loading until the status is there", async () => {
  visit(<Landing brand={defaultBrand} />, { application: declined });
  expect(screen.getByText("Securing your session...")).toBeVisible();
  expect(await screen.findByText(statuses.declined.heading)).toBeVisible();
});

test.each<[where: string, page: ReactNode, notice: string]>([
  ["the landing", <Landing key="landing" brand={defaultBrand} />, statuses.declined.heading],
  ["the form's address", <SubmittedState key="form" application={declined} />, statuses.declined.heading],
  ["the thank-you page", <SuccessScreen key="thanks" />, statuses.declined.heading],
  ["the receipt", <ReceiptScreen key="receipt" />, statuses.declined.name],
])("%s of a declined application says so, without thanks, congratulations or promises", async (_, page, notice) => {
  visit(page, { application: declined });
  expect((await screen.findAllByText(notice))[0]).toBeVisible();
  expect(document.body).not.toHaveTextContent(/success|congratulat|good news|thank|has been submitted|funds are paid/i);
});

describe.each(statusesAfterSubmission)("an application that is %s", (status) => {
  const application = { ...declined, status };

  test.each<[where: string, page: ReactNode]>([
    ["the landing", <Landing key="landing" brand={defaultBrand} />],
    ["/home", <Form key="form" />],
    ["/review&submit", <ReviewPage key="review" />],
    ["the thank-you page", <SuccessScreen key="thanks" />],
  ])("shows its status, what happens next and whom to ask, on %s", async (_, page) => {
    visit(page, { application });
    const next = await screen.findAllByRole("heading", { level: 3 });
    const words = statuses[status].words(defaultBrand);
    expect(next.map(({ textContent }) => textContent)).toEqual(words.next.map(({ title }) => title));
    expect(screen.getByRole("heading", { name: words.nextHeading })).toBeVisible();
    expect(screen.getByText("Status").nextElementSibling).toHaveTextContent(statuses[status].name);
    expect(screen.getByText(words.text)).toBeVisible();
    expect(document.body).toHaveTextContent("K7QM-4XRT");
    expect(document.body).not.toHaveTextContent(/pre-approved|could access|how it works|sample invoice|get started/i);
    if (status !== "submitted") {
      expect(screen.getByText(statuses[status].heading)).toBeVisible();
      expect(document.body).not.toHaveTextContent(/successfully|has been submitted/i);
    }
    for (const name of [defaultBrand.supportPhone, defaultBrand.supportEmail])
      expect(screen.getAllByRole("link", { name })[0]).toBeVisible();
    expect(screen.getByText("You asked for").nextElementSibling).toHaveTextContent("$33,650");
    expect(screen.getByText("We'll write to").nextElementSibling).toHaveTextContent(savedAnswers.email);
  });
});

test.each([
  ["https://banksia.example/complaints", "https://banksia.example/complaints"],
  ["complaints@banksia.example", "mailto:complaints@banksia.example"],
  ["1800 222 222", "tel:1800222222"],
])("a declined landlord can ask why and complain by links, here to %s", async (complaints, href) => {
  const brand = { ...defaultBrand, complaints };
  visit(
    <BrandProvider value={brand}>
      <SuccessScreen />
    </BrandProvider>,
    { application: declined },
  );
  const item = (await screen.findByRole("heading", { name: "Ask us why" })).parentElement as HTMLElement;
  expect(within(item).getByRole("link", { name: brand.supportPhone })).toHaveAttribute("href", "tel:1800000000");
  expect(within(item).getByRole("link", { name: brand.supportEmail })).toHaveAttribute(
    "href",
    `mailto:${brand.supportEmail}`,
  );
  expect(screen.getByRole("link", { name: complaints })).toHaveAttribute("href", href);
});

test.each(applicationStatuses)(
  "the benefits are shown with an application that is '%s', unless it is declined",
  (status) => {
    visit(<BenefitsBar maximum={shownCap} />, { application: { ...declined, status } });
    expect(screen.queryAllByText("Interest is tax deductible")).toHaveLength(status === "declined" ? 0 : 1);
  },
);

test("a 401 page that is loaded after a decline shows no benefits, until the tab opens another application", () => {
  const shown = () => screen.queryAllByText("Interest is tax deductible").length;
  const bar = <BenefitsBar maximum={shownCap} />;
  visit(bar, { application: declined }).unmount();
  const { unmount } = renderPage(bar, "unauthorized");
  expect(shown()).toBe(0);
  unmount();
  visit(bar, { application: newApplication() }).unmount();
  renderPage(bar, "unauthorized");
  expect(shown()).toBe(1);
});

test.each([
  ["the thank-you page", <SuccessScreen key="thanks" />],
  ["the receipt", <ReceiptScreen key="receipt" />],
])("before submission, %s shows the loading screen and goes to the form", (_, page) => {
  visit(page, { application: newApplication(savedAnswers) });
  expect(screen.getByRole("status")).toHaveTextContent("Securing your session...");
  expect(router.replace).toHaveBeenCalledWith("/home");
});
