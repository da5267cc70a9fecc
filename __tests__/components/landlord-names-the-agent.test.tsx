import { fireEvent, screen, waitFor } from "@testing-library/react";
import { fakeApi } from "@/__tests__/support/api";
import { Form, goToStep, newApplication, rowOf, savedAnswers, turnTo, visit } from "@/__tests__/support/applicant";
import type { AnswerStep } from "@/lib/domain/journey";

const api = fakeApi();
const atStepTwo = { ...savedAnswers, contactNumber: "", savedSteps: [1] as AnswerStep[] };

function visitStepTwo(changes = {}, invited = {}) {
  return visit(<Form />, { application: newApplication({ ...atStepTwo, ...changes }, invited) });
}

const phone = () => screen.getByRole("textbox", { name: "Agent mobile" });
const country = () => screen.getByRole("combobox", { name: "Country code" });

const leftOut = (kept: string) => `We left out the last digit you typed. Is ${kept} right?`;
const confirm = () => screen.getByRole("button", { name: "Yes, it's right" });

async function leaveAndRead(user: ReturnType<typeof visit>["user"]) {
  await user.tab();
  return (phone() as HTMLInputElement).value;
}

describe("step 2", () => {
  test("says beforehand which numbers it does not accept", () => {
    visitStepTwo();
    expect(phone()).toHaveAccessibleDescription(
      "Your agent's mobile or direct line. We can't use 13, 1300 or 1800 numbers. Australia +61",
    );
  });

  test("keeps the invited number read-only", () => {
    visitStepTwo({ contactNumber: "61298765432" }, { contactNumber: "61298765432" });
    expect(phone()).toHaveAttribute("readonly");
    // Some password managers fill in read-only fields as well.
    fireEvent.change(phone(), { target: { value: "12345" } });
    expect(phone()).toHaveValue("2 9876 5432");
  });

  test("says at the locked number whom to call once the agency has changed, as the review does", async () => {
    const invited = { contactNumber: "61298765432", agencyName: "Harbour Homes" };
    api.answers("submit-step-2", {});
    const { user } = visit(<Form />, {
      application: newApplication({ ...savedAnswers, contactNumber: "61298765432" }, invited),
      search: "?step=2&then=review",
    });
    expect(screen.queryByText(/Changed agents\?/)).toBeNull();
    await user.type(screen.getByLabelText("Agency name"), " & Hill");
    expect(phone()).toHaveAccessibleDescription(/Changed agents\? Call us: 1800 000 000/);
    expect(screen.getAllByRole("link", { name: "1800 000 000" })[0]).toHaveAttribute("href", "tel:1800000000");
    await turnTo(user, "Next", "Review your application");
    expect(rowOf("Agent mobile")).toContain(
      "This is still the number from your invitation.Changed agents? Call us: 1800 000 000",
    );
  });

  test("returns to the review with Next after Back, if the review opened the step", async () => {
    api.answers("submit-step-1", {});
    const { user } = visit(<Form />, { application: newApplication(savedAnswers), search: "?step=2&then=review" });
    await turnTo(user, "Back", "Landlord & property details");
    await user.click(screen.getByRole("button", { name: "Next" }));
    expect(await screen.findByRole("heading", { name: "Review your application" })).toBeVisible();
  });

  test("accepts a number once a wrong plus in front of it is deleted", async () => {
    const { user } = visitStepTwo();
    await user.type(phone(), "+0412345678");
    await user.type(phone(), "{Delete}", { initialSelectionStart: 0, initialSelectionEnd: 0 });
    expect(await leaveAndRead(user)).toBe("412 345 678");
    expect(country()).toHaveDisplayValue("Australia (+61)");
    expect(phone()).toBeValid();
  });

  test("is left alone while an input method composes the number, and read afterwards", async () => {
    const { user } = visitStepTwo();
    await user.click(phone());
    fireEvent.compositionStart(phone());
    fireEvent.input(phone(), { target: { value: "04a" }, isComposing: true });
    expect(phone()).toHaveValue("04a");
    fireEvent.input(phone(), { target: { value: "0412345678" }, isComposing: true });
    fireEvent.compositionEnd(phone());
    expect(await leaveAndRead(user)).toBe("412 345 678");
  });

  test.each([
    ["as it is dialled at home", "(04) 1234-5678 x", "61412345678", "412 345 678"],
    ["with the plus of another country", "+1 (213) 373-4253", "12133734253", "(213) 373-4253"],
  ])("saves only the digits of a number typed %s", async (_, typed, stored, shown) => {
    api.answers("submit-step-2", {});
    const { user } = visitStepTwo();
    await user.type(phone(), typed);
    expect(await leaveAndRead(user)).toBe(shown);
    await turnTo(user, "Next", "Lease & funds");
    expect(api.calls[0]?.body.data.contactNumber).toBe(stored);
  });

  test("keeps Canada selected, although its dial code is also that of the United States", async () => {
    api.answers("submit-step-1", {});
    const { user } = visitStepTwo();
    await user.selectOptions(country(), "Canada (+1)");
    await user.type(phone(), "6045550100");
    expect(country()).toHaveDisplayValue("Canada (+1)");
    await turnTo(user, "Back", "Landlord & property details");
    await turnTo(user, "Next", "Agency Details");
    expect(country()).toHaveDisplayValue("Canada (+1)");
    expect(phone()).toHaveValue("(604) 555-0100");
  });

  test("keeps the country of a saved number, however few digits are left", async () => {
    const { user } = visitStepTwo({ contactNumber: "79261234567" });
    expect(country()).toHaveDisplayValue("Russia (+7)");
    const allButOneDigit = { initialSelectionStart: 1, initialSelectionEnd: 20 };
    await user.type(phone(), "{Backspace}", allButOneDigit);
    expect(phone()).toHaveValue("9");
    expect(country()).toHaveDisplayValue("Russia (+7)");
    await user.keyboard("267654321");
    expect(country()).toHaveDisplayValue("Russia (+7)");
    expect(phone()).toHaveValue("9267654321");
  });

  test("selects the country of a pasted number with a plus", async () => {
    const { user } = visitStepTwo();
    await user.type(phone(), "0412345678");
    await user.clear(phone());
    await user.paste("+33 6 12 34 56 78");
    expect(country()).toHaveDisplayValue("France (+33)");
    expect(await leaveAndRead(user)).toBe("6 12 34 56 78");
    await user.selectOptions(country(), "Spain (+34)");
    expect(country()).toHaveDisplayValue("Spain (+34)");
  });

  test("validates the number again as soon as another country is selected", async () => {
    const { user } = visitStepTwo();
    const announced = () => screen.getAllByRole("status").map(({ textContent }) => textContent);
    await user.selectOptions(country(), "Spain (+34)");
    expect(phone()).toBeValid();
    await user.type(phone(), "412345678");
    await user.selectOptions(country(), "United States (+1)");
    expect(await screen.findByText("Please enter a valid contact number")).toBeVisible();
    expect(announced()).toContain("Error: Please enter a valid contact number");
    await user.selectOptions(country(), "France (+33)");
    await waitFor(() => expect(phone()).toBeValid());
  });

  test.each([
    ["an empty number", "", "Contact number is required"],
    ["nine digits under +1", "+1 213 373 425", "Please enter a valid contact number"],
  ])("shows an error for %s", async (_, typed, message) => {
    const { user } = visitStepTwo();
    await user.click(phone());
    if (typed) await user.keyboard(typed);
    await user.tab();
    expect(await screen.findByText(message)).toBeVisible();
  });

  test.each([
    ["that is too long", "", "0412 345 678 999"],
    ["that begins with 1300", "", "1300 123 456"],
    ["with one digit more than the one before", "412345678", "4123456789"],
    ["longer than one that was too long", "4123456789", "0412 345 678 0499"],
  ])("keeps all of a pasted number %s, and shows its error at once", async (_, before, pasted) => {
    const { user } = visitStepTwo();
    await user.click(phone());
    if (before) await user.keyboard(before);
    (phone() as HTMLInputElement).select();
    await user.paste(pasted);
    expect(await screen.findByText("Please enter a valid contact number")).toBeVisible();
    expect(screen.queryByText(/We left out/)).toBeNull();
    expect(phone()).toHaveFocus();
    expect(await leaveAndRead(user)).toBe(pasted);
    await user.click(screen.getByRole("button", { name: "Next" }));
    await screen.findByRole("alert", { name: "There is a problem" });
    expect(api.calls).toEqual([]);
  });

  test("refuses a digit too many, and says so until the number is edited", async () => {
    const { user } = visitStepTwo();
    await user.type(phone(), "1300123456");
    expect(phone()).toHaveValue("130012345");
    expect(screen.getByText(leftOut("130012345"))).toBeVisible();
    // A screen reader announces it, because the landlord is still typing.
    const announced = () => screen.getAllByRole("status").map(({ textContent }) => textContent);
    expect(announced()).toContain(`Error: ${leftOut("130012345")}`);
    expect(phone()).toBeInvalid();
    await user.tab();
    expect(confirm()).toHaveFocus();
    expect(screen.getByText(leftOut("130012345"))).toBeVisible();
    await user.click(screen.getByRole("button", { name: "Next" }));
    const link = await screen.findByRole("link", { name: `Agent mobile: ${leftOut("130012345")}` });
    expect(link).toHaveAttribute("href", "#contactNumber");
    expect(api.calls).toEqual([]);
    await user.click(phone());
    await user.keyboard("{Backspace}");
    expect(await screen.findByText("Please enter a valid contact number")).toBeVisible();
    expect(announced().join("")).toBe("");
    await user.keyboard("9");
    expect(screen.queryByText("Please enter a valid contact number")).toBeNull();
    expect(phone()).toBeValid();
  });

  test.each([
    ["Australia (+61)", "0412 345 6788", "0412 345 678", "412 345 678"],
    ["United States (+1)", "21337342533", "(213) 373-4253", "(213) 373-4253"],
    ["United Kingdom (+44)", "0791112345677", "79111234567", "79111234567"],
  ])("of %s is right without a digit typed twice once the landlord says so", async (name, typed, asked, shown) => {
    api.answers("submit-step-2", {});
    const { user } = visitStepTwo();
    await user.selectOptions(country(), name);
    await user.type(phone(), typed);
    expect(screen.getByText(leftOut(asked))).toBeVisible();
    await user.click(screen.getByRole("button", { name: "Next" }));
    await screen.findByRole("link", { name: `Agent mobile: ${leftOut(asked)}` });
    await user.click(confirm());
    expect(phone()).toHaveFocus();
    await waitFor(() => expect(phone()).toBeValid());
    expect(screen.queryByRole("button", { name: "Yes, it's right" })).toBeNull();
    expect(screen.getByRole("region", { name: "All corrected. Press Next to continue." })).toBeVisible();
    // The draft no longer has the digit.
    await turnTo(user, "Back", "Landlord & property details");
    goToStep(2);
    expect(await screen.findByDisplayValue(shown)).toBe(phone());
    expect(phone()).toBeValid();
    await turnTo(user, "Next", "Lease & funds");
  });

  test("keeps a refused digit when another country is picked, so that no number loses a digit in silence", async () => {
    const { user } = visitStepTwo();
    await user.type(phone(), "1300123456");
    await user.selectOptions(country(), "United Kingdom (+44)");
    expect(phone()).toHaveValue("1300 123456");
    await user.selectOptions(country(), "Australia (+61)");
    expect(phone()).toHaveValue("1300123456");
    expect(await screen.findByText("Please enter a valid contact number")).toBeVisible();
    expect(phone()).toBeInvalid();
  });

  test("shows the error of a refused digit again when the landlord returns without having pressed Next", async () => {
    const { user } = visitStepTwo();
    await user.type(phone(), "1300123456");
    await turnTo(user, "Back", "Landlord & property details");
    goToStep(2);
    expect(await screen.findByText("Please enter a valid contact number")).toBeVisible();
    expect(phone()).toHaveValue("1300123456");
    expect(screen.queryByRole("alert")).toBeNull();
  });

  async function leaveAndReturn(user: ReturnType<typeof visit>["user"]) {
    await turnTo(user, "Back", "Landlord & property details");
    goToStep(2);
    return await screen.findByRole("region", { name: /There is a problem|All corrected/ });
  }

  test("keeps the first refused digit when the landlord returns, with one error in summary and field", async () => {
    const { user } = visitStepTwo();
    await user.type(phone(), "13001234567");
    await user.click(screen.getByRole("button", { name: "Next" }));
    await screen.findByRole("link", { name: /We left out/ });
    await leaveAndReturn(user);
    expect(phone()).toHaveValue("1300123456");
    expect(phone()).toHaveAccessibleDescription(/Please enter a valid contact number/);
    expect(screen.getByRole("link", { name: "Please enter a valid contact number" })).toBeVisible();
    await user.click(screen.getByRole("button", { name: "Next" }));
    await screen.findByRole("alert", { name: "There is a problem" });
    expect(api.calls).toEqual([]);
  });

  test("does not repeat a server error that was corrected before leaving the step", async () => {
    const errors = { agencyName: "Agency name is not known to us", managerFirstName: "First name is not known to us" };
    api.answers("submit-step-2", { status: 422, body: { success: false, message: "Please check", errors } });
    const { user } = visitStepTwo({ contactNumber: "61298765432", managerEmail: "grace@example.com" });
    await user.click(screen.getByRole("button", { name: "Next" }));
    await screen.findByRole("alert", { name: "There is a problem" });
    await user.type(screen.getByLabelText("Agency name"), " Pty");
    await leaveAndReturn(user);
    expect(screen.getByLabelText("Agency name")).toBeValid();
    expect(screen.getByLabelText("Agent first name")).toHaveAccessibleDescription(/not known/);
  });

  test("repeats the errors of Next when the landlord returns, except those that were corrected", async () => {
    const { user } = visitStepTwo({ agencyName: "", managerFirstName: "", contactNumber: "61298765432" });
    await user.click(screen.getByRole("button", { name: "Next" }));
    await screen.findByRole("alert", { name: "There is a problem" });
    await user.type(screen.getByLabelText("Agency name"), "Quay");
    expect(await leaveAndReturn(user)).toHaveAccessibleName("There is a problem");
    expect(screen.getByLabelText("Agency name")).toBeValid();
    expect(screen.getByLabelText("Agent first name")).toHaveAccessibleDescription(/first name is required/);
    await user.type(screen.getByLabelText("Agent first name"), "Grace");
    expect(await leaveAndReturn(user)).toHaveAccessibleName("All corrected. Press Next to continue.");
    expect(screen.getByLabelText("Agent first name")).toBeValid();
  });

  test("keeps the caret where a digit too many was typed", async () => {
    const { user } = visitStepTwo();
    await user.type(phone(), "412345678");
    (phone() as HTMLInputElement).setSelectionRange(3, 3);
    await user.keyboard("9");
    expect(phone()).toHaveValue("412345678");
    expect((phone() as HTMLInputElement).selectionStart).toBe(3);
    expect(screen.getByText(leftOut("0412 345 678"))).toBeVisible();
  });

  test("replaces a selected digit of a full-length number", async () => {
    const { user } = visitStepTwo();
    await user.type(phone(), "412345678");
    (phone() as HTMLInputElement).setSelectionRange(8, 9);
    await user.keyboard("9");
    expect(phone()).toHaveValue("412345679");
    expect(phone()).toBeValid();
  });

  test("asks again in a picked country about a digit too many", async () => {
    const { user } = visitStepTwo();
    await user.selectOptions(country(), "United States (+1)");
    await user.type(phone(), "21337342539");
    expect(phone()).toHaveValue("2133734253");
    expect(screen.getByText(leftOut("(213) 373-4253"))).toBeVisible();
    await user.selectOptions(country(), "Brazil (+55)");
    await waitFor(() => expect(screen.queryByText(/We left out/)).toBeNull());
  });

  test("refuses a digit too many of a number that begins like the dial code", async () => {
    const { user } = visitStepTwo();
    await user.selectOptions(country(), "France (+33)");
    await user.type(phone(), "3399999998");
    expect(phone()).toHaveValue("339999999");
    expect(phone()).toBeInvalid();
    expect(country()).toHaveDisplayValue("France (+33)");
  });

  test("shows a saved number that is too long unchanged", async () => {
    visitStepTwo({ contactNumber: "12133734253999" });
    expect(country()).toHaveDisplayValue("United States (+1)");
    expect(phone()).toHaveValue("2133734253999");
  });
});
