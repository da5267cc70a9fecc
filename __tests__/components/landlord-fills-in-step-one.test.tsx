import { screen, waitFor, within } from "@testing-library/react";
import { landlord } from "@/__tests__/support/answers";
import { fakeApi } from "@/__tests__/support/api";
import { Form, newApplication, visit } from "@/__tests__/support/applicant";

const api = fakeApi();
const invited = { mobile: "61412345678", firstName: "Ada", lastName: "Byron" };

describe("step 1", () => {
  test("shows every field, and which step it is", () => {
    visit(<Form />);
    for (const name of ["Full name", "Last name", "Mobile", "Email address", "Rental property address"])
      expect(screen.getByRole("textbox", { name })).toBeVisible();
    expect(screen.getByRole("heading", { name: "Landlord & property details", level: 1 })).toBeVisible();
    expect(screen.getByText("Step 1 of 4")).toBeInTheDocument();
    expect(screen.queryByRole("button", { name: "Back" })).toBeNull();
    expect(document.title).toBe("You and your property, step 1 – RentAhead");
  });

  test("turns off autocorrection and spellchecking of names and addresses", () => {
    visit(<Form />);
    for (const name of ["Full name", "Last name", "Email address", "Rental property address"]) {
      expect(screen.getByRole("textbox", { name })).toHaveAttribute("autocorrect", "off");
      expect(screen.getByRole("textbox", { name })).toHaveAttribute("spellcheck", "false");
    }
  });

  // Chromium fills in every field of one section, and ignores "off" (__tests__/lab/engines/autofill.spec.ts).
  test.each([
    ["Full name", 1, "given-name"],
    ["Last name", 1, "family-name"],
    ["Mobile", 1, "tel"],
    ["Email address", 1, "email"],
    ["Rental property address", 1, "section-rental street-address"],
    ["Agency name", 2, "section-agency organization"],
    ["Agent first name", 2, "section-agent-first given-name"],
    ["Agent last name", 2, "section-agent-last family-name"],
    ["Agent mobile", 2, "section-agent-phone tel"],
    ["Agent email address", 2, "section-agent-email email"],
  ])("autofill knows whose %s it is", (name, step, purpose) => {
    visit(<Form />, { application: newApplication({ savedSteps: [1] }), search: `?step=${step}` });
    expect(screen.getByRole("textbox", { name })).toHaveAttribute("autocomplete", purpose);
  });

  const remark = "This ends with your last name. Leave it out here, because it comes next.";

  test.each([
    ["Alexandra Papadopoulos", "Papadopoulos", true],
    ["alexandra  PAPADOPOULOS ", " Papadopoulos", true],
    ["Jo van der Berg", "van der Berg", true],
    ["Leanna", "Anna", false],
    ["Alexandra", "Papadopoulos", false],
    ["Alexandra", "", false],
  ])("says under the full name '%s' whether it ends with the last name '%s': %s", async (first, last, says) => {
    visit(<Form />, { application: newApplication({}, { firstName: first, lastName: last }) });
    expect(screen.getByLabelText("Full name")).toHaveAccessibleDescription(
      `First and middle names only. Your last name comes next.${says ? ` ${remark}` : ""}`,
    );
  });

  test("shows the invited mobile in groups, read-only", () => {
    visit(<Form />, { application: newApplication({}, invited) });
    const mobile = screen.getByRole("textbox", { name: "Mobile" });
    expect(mobile).toHaveValue("412 345 678");
    expect(mobile).toHaveAttribute("readonly");
    expect(mobile).toBeRequired();
    expect(mobile).toHaveAccessibleDescription(/^From your invitation\. If it's wrong, call us on 1800 000 000/);
    expect(screen.queryByRole("combobox", { name: "Country code" })).toBeNull();
  });

  test("shows a field's error once the field was left, and no other", async () => {
    const { user } = visit(<Form />);
    expect(screen.queryByText("First name is required")).toBeNull();
    await user.click(screen.getByLabelText("Full name"));
    await user.tab();
    expect(await screen.findByText("First name is required")).toBeVisible();
    expect(screen.getByLabelText("Full name")).toBeInvalid();
    expect(screen.getByLabelText("Full name")).toHaveAccessibleDescription(/First name is required/);
    expect(screen.queryByText("Last name is required")).toBeNull();
  });

  test("moves the focus to a summary with a link to each invalid field", async () => {
    const { user } = visit(<Form />);
    await user.click(screen.getByRole("button", { name: "Next" }));
    const summary = await screen.findByRole("alert", { name: "There is a problem" });
    expect(summary).toHaveFocus();
    expect(document.title).toMatch(/^Error: /);
    const missing = ["First name", "Last name", "Email", "Rental property address"].map(
      (name) => `${name} is required`,
    );
    const links = within(summary).getAllByRole("link");
    expect(links.map((link) => link.textContent)).toEqual(missing);
    await user.click(within(summary).getByRole("link", { name: "Email is required" }));
    expect(screen.getByLabelText("Email address")).toHaveFocus();
    expect(api.calls).toEqual([]);
  });

  test.each([
    ["ada@example.com", "Email address", "\u200Bada@example.com\uFEFF"],
    ["Ada", "Full name", "\u2066Ada\u2069"],
    ["12 Station Street Newtown NSW", "Rental property address", "12 Station Street\tNewtown\u2028NSW"],
  ])("accepts '%s' pasted into %s with invisible characters", async (seen, label, pasted) => {
    const { user } = visit(<Form />, { application: newApplication() });
    await user.click(screen.getByLabelText(label));
    await user.paste(pasted);
    await user.tab();
    expect(screen.getByLabelText(label)).toHaveValue(seen);
    expect(screen.getByLabelText(label)).toBeValid();
  });

  test("saves trimmed answers with Enter, and focuses the next step's heading", async () => {
    api.answers("submit-step-1", {});
    const { email, propertyAddress: _, ...others } = landlord;
    const { user, seen } = visit(<Form />, { application: newApplication(others, invited), source: "ia" });
    await user.type(screen.getByLabelText("Email address"), ` ${email} `);
    await user.type(screen.getByLabelText("Rental property address"), "1 Wattle Lane {Enter}");
    const heading = await screen.findByRole("heading", { name: "Agency Details" });
    expect(heading).toHaveFocus();
    expect(window.location.search).toBe("?step=2");
    const data = { ...landlord, propertyAddress: "1 Wattle Lane", source: "ia" };
    expect(api.calls).toEqual([{ path: "submit-step-1", body: { token: "token-of-a-test", data } }]);
    expect(seen.application.savedSteps).toEqual([1]);
    expect(screen.queryByText(/is required/)).toBeNull();
  });

  test("marks an answer that differs from the invitation", async () => {
    const { user } = visit(<Form />, { application: newApplication({}, invited) });
    const name = screen.getByLabelText("Full name");
    await user.clear(name);
    await user.type(name, "Augusta");
    await user.tab();
    expect(await screen.findByText("Changed from")).toBeVisible();
    expect(name).toHaveAccessibleDescription(/Changed from Ada/);
  });

  test("sends one save for repeated presses of Next", async () => {
    const answer = api.holds("submit-step-1");
    const application = newApplication(landlord, invited);
    const { user } = visit(<Form />, { application });
    await user.dblClick(screen.getByRole("button", { name: "Next" }));
    const busy = await screen.findByRole("button", { name: "Saving..." });
    expect(busy).toHaveAttribute("aria-disabled", "true");
    await user.click(busy);
    await user.type(screen.getByLabelText("Email address"), "{Enter}");
    answer({});
    await screen.findByRole("heading", { name: "Agency Details" });
    await waitFor(() => expect(api.calls).toHaveLength(1));
  });
});
