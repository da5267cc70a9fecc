import { wholeApplication } from "@/__tests__/support/answers";
import { submitWhole, verify } from "@/__tests__/support/calls";
import { freshDatabase } from "@/__tests__/support/database";
import { invited } from "@/__tests__/support/invited";
import { post } from "@/__tests__/support/post";
import { several } from "@/__tests__/support/processes/several";
import { randomAmounts } from "@/__tests__/support/random-amounts";
import { reportFigure, size } from "@/__tests__/support/size";

process.env.RATE_LIMIT_FACTOR = "1000";
const { sql } = freshDatabase();

test("the answer of a call and the record name the advance that was submitted", async () => {
  const drawn = randomAmounts(size(50, 10_000));
  const submitted = new Map<string, string>();
  await several(drawn.length, 6, async (n) => {
    const { loanAmount, ...otherAmounts } = drawn[n] as (typeof drawn)[number];
    const { token, id } = await invited();
    const { status } = await post(submitWhole, { token, data: { ...wholeApplication, ...otherAmounts, loanAmount } });
    const { data } = (await post(verify, { token })).body;
    expect([status, data?.loanAmount]).toEqual([200, loanAmount]);
    submitted.set(id, loanAmount);
  });
  const records = await sql(`SELECT "applicationId" AS id, answers->>'loanAmount' AS advance FROM consent_records`);
  expect(new Map(records.map(({ id, advance }) => [id, advance]))).toEqual(submitted);
  reportFigure(31, `${drawn.length} random answers submitted: answer and record name one advance`);
}, 1_200_000);
