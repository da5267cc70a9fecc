import { verify } from "@/__tests__/support/calls";
import { freshDatabase } from "@/__tests__/support/database";
import { post } from "@/__tests__/support/post";
import { setStatus } from "@/__tests__/support/set-status";
import { submitted } from "@/__tests__/support/submitted";
import { submittedStatuses } from "@/lib/domain/journey";
import { eraseApplication } from "@/lib/server/applications/erase";
import { revokeLinks } from "@/lib/server/invitations/links";

const { sql } = freshDatabase();

test.each(submittedStatuses.filter((status) => status !== "submitted"))(
  "operations set a submitted application to %s, and back",
  async (status) => {
    const { token, reference, id } = await submitted();
    const change = { reference, shownUntil: expect.any(Date), emailedAt: null };
    const lowerCase = reference.toLowerCase();
    expect(await setStatus(lowerCase, status, { by: "Ines", reason: "Why" })).toMatchObject({
      ...change,
      before: "submitted",
    });
    expect((await post(verify, { token })).body.data).toMatchObject({ status });
    expect(await setStatus(lowerCase, "submitted", { by: "Rui" })).toMatchObject({ before: status });
    expect(
      await sql(`SELECT detail, by, reason FROM events WHERE kind = 'status_changed' AND "applicationId" = $1`, [id]),
    ).toEqual([
      { detail: status, by: "Ines", reason: "Why" },
      { detail: `submitted (was ${status})`, by: "Rui", reason: "" },
    ]);
  },
);

test.each([
  ["withdrawn", (reference: string) => revokeLinks(reference, "Ines")],
  ["erased", (reference: string) => eraseApplication(reference, "Ines")],
])("after the application was %s, no link shows the decision", async (_, end) => {
  const { reference } = await submitted();
  await end(reference);
  expect(await setStatus(reference, "approved", { by: "" })).toMatchObject({ shownUntil: null });
});
