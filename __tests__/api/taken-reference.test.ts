import { freshDatabase } from "@/__tests__/support/database";
import { makeReference } from "@/lib/domain/reference";
import { createInvitations } from "@/lib/server/invitations/create-invitations";

jest.mock("@/lib/domain/reference", () => {
  const actual = jest.requireActual("@/lib/domain/reference");
  return { ...actual, makeReference: jest.fn(actual.makeReference) };
});

const { sql } = freshDatabase();
const invitation = { answers: { mobile: "61412345678" }, quotes: [], source: "", expiresDays: 30, consentBasis: "" };

test("a reference that is taken is replaced by another, and no other error is retried", async () => {
  const [first] = await createInvitations([invitation]);
  jest.mocked(makeReference).mockReturnValueOnce(first?.reference ?? "");
  const issued = await createInvitations([invitation, invitation]);
  expect(new Set([first, ...issued].map((link) => link?.reference)).size).toBe(3);
  expect(await sql("SELECT count(*)::int AS n FROM link_tokens")).toEqual([{ n: 3 }]);
  jest.mocked(makeReference).mockClear();
  await expect(createInvitations([{ ...invitation, quotes: ["many"] }])).rejects.toThrow();
  expect(makeReference).toHaveBeenCalledTimes(1);
});

test("an invitation fails after five references that are taken", async () => {
  const [first] = await createInvitations([invitation]);
  const actual = jest.mocked(makeReference).getMockImplementation();
  jest.mocked(makeReference).mockClear();
  jest.mocked(makeReference).mockImplementation(() => first?.reference ?? "");
  try {
    await expect(createInvitations([invitation])).rejects.toThrow();
    expect(makeReference).toHaveBeenCalledTimes(5);
  } finally {
    if (actual) jest.mocked(makeReference).mockImplementation(actual);
  }
});
