import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { fakeApi } from "@/__tests__/support/api";
import { Form, newApplication, savedAnswers, visit } from "@/__tests__/support/applicant";
import type { AnswerStep } from "@/lib/domain/journey";

fakeApi();

const heading = () => screen.getByRole("heading", { level: 2 }).textContent;
const links = () => screen.getAllByRole("link", { name: /is required|Invalid/ }).map(({ textContent }) => textContent);
const title = "You and your property, step 1 – RentAhead";

describe("the error summary", () => {
  async function pressNext() {
    const visited = visit(<Form />, { application: newApplication({}, { firstName: "Ada", lastName: "Byron" }) });
    await visited.user.click(screen.getByRole("button", { name: "Next" }));
    await screen.findByRole("alert", { name: "There is a problem" });
    return visited;
  }

  test("ticks a problem off once its field is left, keeps its link, and interrupts no more", async () => {
    const { user } = await pressNext();
    await user.type(screen.getByLabelText("Email address"), "ada@example.com");
    expect(links()).toEqual(["Email is required", "Rental property address is required"]);
    expect(screen.getByRole("alert")).toBeVisible();
    await user.tab();
    await waitFor(() =>
      expect(links()).toEqual(["Corrected: Email is required", "Rental property address is required"]),
    );
    expect(heading()).toBe("There is a problem");
    expect(document.title).toBe(`Error: ${title}`);
    expect(screen.queryByRole("alert")).toBeNull();
    await user.click(screen.getByRole("link", { name: "Corrected: Email is required" }));
    expect(screen.getByLabelText("Email address")).toHaveFocus();
  });

  test("says that all is corrected once the last wrong field is left, and shows a new error of a field", async () => {
    const { user } = await pressNext();
    await user.type(screen.getByLabelText("Email address"), "ada@example.com");
    await user.type(screen.getByLabelText("Rental property address"), "1");
    expect(heading()).toBe("There is a problem");
    await user.tab();
    await waitFor(() => expect(heading()).toBe("All corrected. Press Next to continue."));
    expect(document.title).toBe(title);
    expect(links()).toHaveLength(2);
    await user.type(screen.getByLabelText("Email address"), " com");
    await user.tab();
    await waitFor(() => expect(links()).toEqual(["Invalid email", "Corrected: Rental property address is required"]));
    expect(heading()).toBe("There is a problem");
    expect(screen.queryByRole("alert")).toBeNull();
    await user.clear(screen.getByLabelText("Email address"));
    await user.type(screen.getByLabelText("Email address"), "ada@example.com");
    await user.clear(screen.getByLabelText("Full name"));
    await user.tab();
    // A field that is not in the list has an error now.
    await waitFor(() => expect(heading()).toBe("There is a problem"));
  });

  test("interrupts again when Next finds a problem again", async () => {
    const { user } = await pressNext();
    await user.type(screen.getByLabelText("Email address"), "ada@example.com");
    await user.click(screen.getByRole("button", { name: "Next" }));
    const summary = await screen.findByRole("alert", { name: "There is a problem" });
    expect(within(summary).getAllByRole("link")).toHaveLength(1);
    expect(summary).toHaveFocus();
  });
});

describe.each([
  ["a text", 1, "Full name", ""],
  ["an email address", 1, "Email address", "x"],
  ["a phone number", 2, "Agent mobile", "4"],
  ["a date", 3, "Lease end date", ""],
  ["an amount", 3, "Repair costs", ""],
] as const)("%s that is wrong when it is left", (_, step, label, text) => {
  test("shows its error only after the press that left it", async () => {
    const savedSteps = ([1, 2] as AnswerStep[]).filter((saved) => saved < step);
    visit(<Form />, { application: newApplication({ ...savedAnswers, savedSteps }) });
    const field = screen.getByLabelText(label);
    const settle = () => act(() => new Promise((resolve) => setTimeout(resolve, 20)));
    act(() => field.focus());
    fireEvent.change(field, { target: { value: text } });
    fireEvent.mouseDown(document.body);
    fireEvent.blur(field);
    await settle();
    expect(field).not.toHaveAttribute("aria-invalid");
    fireEvent.mouseUp(document.body);
    await waitFor(() => expect(field).toHaveAttribute("aria-invalid"));
  });
});
