import { consent } from "@/__tests__/support/answers";
import { fillIn, submitFinal } from "@/__tests__/support/calls";
import { freshDatabase } from "@/__tests__/support/database";
import { invited } from "@/__tests__/support/invited";
import { post } from "@/__tests__/support/post";
import { prisma } from "@/lib/server/db/client";

const { sql } = freshDatabase();

test("times are right on a database in another time zone: Prisma writes and reads them without their zone", async () => {
  await sql(
    `DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET TimeZone = %L', current_database(), 'Australia/Sydney'); END $$`,
  );
  const { token, id } = await invited({ mobile: "61412345678" }, { expiresInDays: 1 });
  await fillIn(token);
  const { body } = await post(submitFinal, { token, data: consent });
  const [{ late, days } = {}] = await sql<{ late: number; days: number }>(
    `SELECT abs(extract(epoch FROM now() - "submittedAt"))::float AS late,
       (SELECT extract(epoch FROM "expiresAt" - l."createdAt")::float / 86400 FROM links l WHERE l."applicationId" = a.id) AS days
     FROM applications a WHERE id = $1`,
    [id],
  );
  expect(late).toBeLessThan(60);
  expect(days).toBeCloseTo(1, 1);
  const { submittedAt } = await prisma().application.findUniqueOrThrow({ where: { id } });
  expect(submittedAt?.toISOString()).toBe((body.data as { submittedAt: string }).submittedAt);
});
