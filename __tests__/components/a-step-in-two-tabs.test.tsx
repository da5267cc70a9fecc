import { act, screen, waitFor } from "@testing-library/react";
import { cap, rentOverCap } from "@/__tests__/support/answers";
import { fakeApi } from "@/__tests__/support/api";
import {
  draftKey,
  Form,
  inAnotherTab,
  keepDraft,
  newApplication,
  savedAnswers,
  turnTo,
  visit,
} from "@/__tests__/support/applicant";

const api = fakeApi();
const draft = () => localStorage.getItem(draftKey);

describe("a step that is open in two tabs", () => {
  function inTheOtherTab(typed: Record<string, string>, over = ""): void {
    const entries = Object.entries(typed).map(([name, value]) => [name, { typed: value, over }]);
    inAnotherTab(() => keepDraft(Object.fromEntries(entries)));
  }

  test.each([
    ["saved", "Ada"],
    ["undone", ""],
  ])("shows what is typed in the other tab, and its value once it is %s there", async (_, firstName) => {
    const seen = newApplication({ firstName, savedSteps: [1] });
    api.answers("verify-token", { body: { success: true, data: seen as never } });
    visit(<Form />, { search: "?step=1" });
    inTheOtherTab({ firstName: "Ada", lastName: "Byron" });
    expect(screen.getByLabelText("Full name")).toHaveValue("Ada");
    inTheOtherTab({ lastName: "Byron" });
    await waitFor(() => expect(api.calls).toHaveLength(1));
    await waitFor(() => expect(screen.getByLabelText("Full name")).toHaveValue(firstName));
    expect(screen.getByLabelText("Last name")).toHaveValue("Byron");
  });

  test.each(["the same", "another"])(
    "ignores an old verification after %s form in this tab has saved",
    async (form) => {
      const before = newApplication(savedAnswers);
      const after = { body: { success: true, data: { ...before, firstName: "Augusta" } as never } };
      const answer = api.holds("verify-token", after);
      api.answers("submit-step-1", after);
      const { user, seen, go } = visit(<Form />, { application: before, search: "?step=1" });
      inTheOtherTab({ lastName: "Lovelace" });
      inTheOtherTab({});
      await waitFor(() => expect(api.calls).toHaveLength(1));
      if (form === "another") {
        go(<p>The landing page</p>);
        go(<Form />, "/home?step=1");
      }
      await user.clear(screen.getByLabelText("Full name"));
      await user.type(screen.getByLabelText("Full name"), "Augusta");
      await turnTo(user, "Next", "Agency Details");
      answer({ body: { success: true, data: before as never } });
      await act(() => new Promise((resolve) => setTimeout(resolve, 50)));
      expect(seen.application.firstName).toBe("Augusta");
    },
  );

  test("keeps the other tab's text if the server cannot be asked whether it is saved", async () => {
    api.answers("verify-token", "no network");
    visit(<Form />);
    inTheOtherTab({ firstName: "Ada" });
    inTheOtherTab({});
    await waitFor(() => expect(api.calls).toHaveLength(1));
    expect(screen.getByLabelText("Full name")).toHaveValue("Ada");
  });

  test("keeps what is typed in this tab", async () => {
    const { user } = visit(<Form />);
    await user.type(screen.getByLabelText("Full name"), "Grace");
    inTheOtherTab({ firstName: "Ada", lastName: "Byron" });
    expect(screen.getByLabelText("Full name")).toHaveValue("Grace");
    expect(screen.getByLabelText("Last name")).toHaveValue("Byron");
  });

  test.each([
    ["a text", 1, "Full name", "firstName", ["Augusta", "Augusta", "Zoe"]],
    ["an amount that the server rewrites", 3, "Current weekly rent", "currentRent", ["5100.00", "5100", "5200"]],
  ] as const)("adopts what the other tab makes of %s after saving it for both", async (...row) => {
    const [, step, label, name, [typed, saved, later]] = row;
    // Every rent here leads to the same rental advance, the maximum.
    const before = { ...savedAnswers, currentRent: rentOverCap, loanAmount: cap };
    const reply = (value: string) => {
      return { body: { success: true, data: newApplication({ ...before, [name]: value }) as never } };
    };
    api.answers("verify-token", reply(saved), reply(later));
    api.answers(`submit-step-${step}`, reply(later));
    const application = newApplication(before);
    const { user, seen } = visit(<Form />, { application, search: `?step=${step}` });
    await user.clear(screen.getByLabelText(label));
    await user.type(screen.getByLabelText(label), typed);
    inTheOtherTab({});
    await waitFor(() => expect(seen.application[name]).toBe(saved));
    expect(screen.getByLabelText(label)).toHaveValue(typed);
    inTheOtherTab({ [name]: later }, saved);
    expect(screen.getByLabelText(label)).toHaveValue(later);
    inTheOtherTab({});
    await waitFor(() => expect(seen.application[name]).toBe(later));
    await user.click(screen.getByRole("button", { name: "Next" }));
    await waitFor(() => expect(api.calls).toHaveLength(3));
    expect(api.calls[2]?.body.data[name]).toBe(later);
  });

  test("stores again what was typed in this tab, once the other tab has saved over it", async () => {
    const theirs = newApplication({ ...savedAnswers, propertyAddress: "1 Other Road" });
    api.answers("verify-token", { body: { success: true, data: theirs as never } });
    const { user, unmount } = visit(<Form />, { application: newApplication(savedAnswers), search: "?step=1" });
    const address = () => screen.getByLabelText("Rental property address");
    await user.clear(address());
    await user.type(address(), "7 Typed Road");
    inTheOtherTab({});
    await waitFor(() => expect(draft()).toContain("7 Typed Road"));
    unmount();
    visit(<Form />, { application: theirs, search: "?step=1" });
    expect(address()).toHaveValue("7 Typed Road");
  });

  test("does not show the response to a save once newer answers are shown, but asks for the saved ones", async () => {
    const named = (firstName: string) => newApplication({ ...savedAnswers, firstName });
    const reply = (firstName: string) => ({ body: { success: true, data: named(firstName) as never } });
    api.answers("verify-token", reply("Newer"), reply("Newest"));
    const answer = api.holds("submit-step-1");
    const { user, seen } = visit(<Form />, { application: named("Ada"), search: "?step=1" });
    await user.clear(screen.getByLabelText("Full name"));
    await user.type(screen.getByLabelText("Full name"), "Older");
    await user.click(screen.getByRole("button", { name: "Next" }));
    await waitFor(() => expect(api.calls).toHaveLength(1));
    inTheOtherTab({});
    await waitFor(() => expect(seen.application.firstName).toBe("Newer"));
    answer(reply("Older"));
    await screen.findByRole("heading", { name: "Agency Details" });
    expect(screen.queryByText("Older Byron")).toBeNull();
    await waitFor(() => expect(seen.application.firstName).toBe("Newest"));
  });

  test.each([false, true])(
    "asks for the saved answers when the page is shown again, and not when it is hidden: %s",
    async (isHidden) => {
      const corrected = newApplication({ ...savedAnswers, email: "correct@example.com" });
      api.answers("verify-token", { body: { success: true, data: corrected as never } });
      jest.spyOn(document, "hidden", "get").mockReturnValue(isHidden);
      const { user } = visit(<Form />, { application: newApplication(savedAnswers), search: "?step=1" });
      await user.type(screen.getByLabelText("Last name"), "-Smith");
      act(() => void document.dispatchEvent(new Event("visibilitychange", { bubbles: true })));
      if (isHidden) await act(() => new Promise((resolve) => setTimeout(resolve, 50)));
      else await waitFor(() => expect(screen.getByLabelText("Email address")).toHaveValue("correct@example.com"));
      expect(api.calls).toHaveLength(isHidden ? 0 : 1);
      expect(screen.getByLabelText("Last name")).toHaveValue(`${savedAnswers.lastName}-Smith`);
    },
  );

  test("keeps the other tab's draft if nothing was typed in this one", () => {
    visit(<Form />).unmount();
    inTheOtherTab({ firstName: "Ada" });
    visit(<Form />).unmount();
    expect(draft()).toContain("Ada");
  });
});
