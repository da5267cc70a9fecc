import { screen } from "@testing-library/react";
import { fakeApi } from "@/__tests__/support/api";
import { newApplication, savedAnswers, visit } from "@/__tests__/support/applicant";
import { ApplicantBar } from "@/components/session/applicant-bar";
import type { ApplicationStatus } from "@/lib/domain/statuses";

fakeApi();
const reopen = "you'll need to open the link in our message again.";

beforeEach(() => {
  jest.spyOn(Storage.prototype, "setItem").mockImplementation(() => {
    throw new DOMException("Full", "QuotaExceededError");
  });
});

async function readNote(status: ApplicationStatus): Promise<string | null> {
  const application = newApplication({ ...savedAnswers, status });
  visit(<ApplicantBar />, { application, opened: { token: "only on this page", source: "ba" } });
  return (await screen.findByRole("status")).textContent;
}

test("a browser that stores nothing shows what a reload would lose", async () => {
  expect(await readNote("draft")).toMatch(/You can still apply in this window\..*you'll lose what you haven't saved/);
});

test.each<ApplicationStatus>(["submitted", "approved", "declined"])(
  "once the application is %s, the notice says only how to open it again",
  async (status) => {
    expect(await readNote(status)).toBe(
      `This browser isn't saving anything on this device.If you close or reload the page, ${reopen}`,
    );
  },
);
