import { byStep, wholeApplication } from "@/__tests__/support/answers";
import {
  type ApplicationAnswers,
  type ApplicationView,
  defaultAnswers,
  type InvitedAnswers,
  invitableAnswers,
  lockedAnswers,
  type SavedAnswer,
  savedAnswers,
} from "@/lib/domain/application";
import type { AnswerStep } from "@/lib/domain/journey";
import { changedFrom, shownAnswers, unsavedSteps, warningOf } from "@/lib/domain/shown-answers";

const invitedWith = (values: Partial<InvitedAnswers>) =>
  ({ ...Object.fromEntries(invitableAnswers.map((name) => [name, ""])), ...values }) as InvitedAnswers;

describe("The answers as they are shown", () => {
  const shown = (savedSteps: AnswerStep[], answers: Partial<ApplicationView> = {}) =>
    shownAnswers(
      {
        ...defaultAnswers,
        reference: "K7QM-4XRT",
        status: "draft",
        submittedAt: null,
        version: "0".repeat(64),
        consent: null,
        invited: invitedWith({}),
        savedSteps,
        ...answers,
      },
      "ia",
    );

  test("are complete, with the source of this visit", () => {
    const amounts = { currentRent: "", invoiceAmount: "", loanAmount: "" };
    expect(shown([], byStep[1])).toEqual({ ...defaultAnswers, ...byStep[1], ...amounts, source: "ia" });
  });

  test.each<[string, AnswerStep[], string, string]>([
    ["that was never saved", [1, 2], "0", ""],
    ["that an invitation carried", [], "2450", "2450"],
    ["that was saved as 0", [1, 2, 3], "0", "0"],
    ["that was saved", [3], "300", "300"],
  ])("include an amount %s, with steps %j saved: '%s' is shown as '%s'", (_, savedSteps, invoiceAmount, text) => {
    expect(shown(savedSteps, { invoiceAmount }).invoiceAmount).toBe(text);
  });
});

test.each<[SavedAnswer, string, string, string | undefined]>([
  // Columns: name, value in the invitation, value answered, reported original.
  ["firstName", "Ada", "Ada", undefined],
  ["firstName", "Ada", " Ada ", undefined],
  ["firstName", "Ada", "Grace", "Ada"],
  ["firstName", "Ada", "", "Ada"],
  ["firstName", "", "Grace", undefined],
  ["firstName", "", "", undefined],
  ["invoiceAmount", "450", "450.00", undefined],
  ["invoiceAmount", "450", "451", "450"],
  ["invoiceAmount", "450", "", "450"],
  ["invoiceAmount", "", "450", undefined],
  ["invoiceAmount", "0", "450", undefined],
])("for %s, invited as '%s' and answered '%s', the reported original is %s", (name, invited, answer, original) => {
  expect(changedFrom(invitedWith({ [name]: invited }), name, answer)).toBe(original);
});

test("an answer that no invitation carries is never reported as changed", () => {
  expect(changedFrom(invitedWith({}), "leaseStartDate", "2026-03-01")).toBeUndefined();
});

test.each<[Partial<InvitedAnswers>, SavedAnswer[]]>([
  [{}, []],
  [{ firstName: "Ada", email: "ada@example.com" }, []],
  [{ firstName: "Ada", mobile: "61412345678" }, ["mobile"]],
  [{ mobile: "61412345678", contactNumber: "61298765432" }, ["mobile", "contactNumber"]],
])("an invitation with %j locks %j", (invited, locked) => {
  expect(lockedAnswers(invitedWith(invited))).toEqual(locked);
});

test.each<[what: string, typed: Partial<ApplicationAnswers>, saved: Partial<ApplicationAnswers>, AnswerStep[]]>([
  ["nothing", {}, {}, []],
  ["another text", { firstName: "Grace" }, {}, [1]],
  ["a text in capitals", { firstName: "ADA" }, {}, [1]],
  ["a text without its end", { firstName: "" }, {}, [1]],
  ["spaces around a text", { firstName: " Ada " }, {}, []],
  ["spaces around a saved text", {}, { firstName: " Ada " }, []],
  ["an accent in two characters", { firstName: "Ade\u0301" }, { firstName: "Ad\u00e9" }, []],
  ["a saved accent in two characters", { firstName: "Ad\u00e9" }, { firstName: "Ade\u0301" }, []],
  ["another amount", { loanAmount: "2450" }, {}, [3]],
  ["the same amount with cents", { loanAmount: "33650.00" }, {}, []],
  ["an amount emptied over 0", { invoiceAmount: "" }, { invoiceAmount: "0" }, [3]],
  ["an amount of 0 over nothing", { invoiceAmount: "0" }, { invoiceAmount: "" }, [3]],
  ["an amount that is not finished", { loanAmount: "33650." }, {}, [3]],
  ["another date", { leaseEndDate: "2027-02-27" }, {}, [3]],
  ["answers of three steps", { loanAmount: "1", agencyName: "A", lastName: "B" }, {}, [1, 2, 3]],
  ["a tick", { provideSelf: true }, {}, []],
])("typing %s makes only the changed steps unsaved", (_, typed, saved, unsaved) => {
  expect(unsavedSteps({ ...wholeApplication, ...typed }, { ...wholeApplication, ...saved })).toEqual(unsaved);
});

const agentInvited = { contactNumber: "61298765432", agencyName: "Quay", managerEmail: "gus@example.com" };
const answered = { ...agentInvited, managerFirstName: "Gus", managerLastName: "Lee" };

test.each<[what: string, invited: Partial<InvitedAnswers>, now: Partial<ApplicationAnswers>, warned: SavedAnswer[]]>([
  ["nothing", agentInvited, {}, []],
  ["the agency", agentInvited, { agencyName: "Hill" }, ["contactNumber"]],
  ["the agent's email", agentInvited, { managerEmail: "" }, ["contactNumber"]],
  ["what the invitation did not give", agentInvited, { managerFirstName: "Eve" }, []],
  ["the landlord's name", { ...agentInvited, firstName: "Ada" }, { firstName: "Eve" }, []],
  ["the agency, with a number of the applicant's own", { agencyName: "Quay" }, { agencyName: "Hill" }, []],
  [
    "the landlord's name, with an invited mobile",
    { mobile: "61412345678", firstName: "Ada" },
    { firstName: "Eve" },
    [],
  ],
])("a change of %s warns only of locked numbers that may now be wrong", (_, invited, now, warned) => {
  const isWarned = (name: SavedAnswer) => warningOf(name, invitedWith(invited), { ...answered, ...now }) !== undefined;
  expect(savedAnswers.filter(isWarned)).toEqual(warned);
});

test("a warning has a question for the applicant and a text for operations", () => {
  const warning = { question: "Changed agents?", text: "agent changed" };
  expect(warningOf("contactNumber", invitedWith(agentInvited), {})).toMatchObject(warning);
});
