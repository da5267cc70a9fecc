import { createHash } from "node:crypto";
import { changeOf, consent } from "@/__tests__/support/answers";
import { invited } from "@/__tests__/support/invited";
import type { App } from "@/__tests__/support/processes/app";
import { type Answer, call, fillIn } from "@/__tests__/support/processes/call";
import { several } from "@/__tests__/support/processes/several";
import { type Brand, defaultBrand } from "@/lib/brand";
import { type SavedAnswer, savedAnswers } from "@/lib/domain/application";
import { consentText } from "@/lib/domain/consent";
import { consentDocument } from "@/lib/domain/consent-document";
import { expect, same } from "./support/expect";
import type { Promised, World } from "./support/world";

const rounds = 100;

const hashOf = (brand: Brand) =>
  createHash("sha256")
    .update(consentDocument(consentText(brand)))
    .digest("hex");

/** One of two clients: it submits what it has read, and nothing else. */
function clientOf(app: App, token: string, text: string) {
  let read: Record<string, unknown> = {};
  const reads = async () => {
    read = (await call(app, "verify-token", { token })).body.data ?? {};
  };
  return {
    reads,
    get version() {
      return read.version;
    },
    changes: (name: SavedAnswer) => {
      const { step, data } = changeOf(name);
      return call(app, `submit-step-${step}`, { token, data });
    },
    submits: () =>
      call(app, "submit-final", { token, data: { ...consent, reviewed: { answers: read.version, consent: text } } }),
    /** The answers that a refusal hands on and this client has not read. */
    unread({ body }: Answer): SavedAnswer[] {
      const now = body.data?.application as Record<string, unknown>;
      return savedAnswers.filter((name) => now[name] !== read[name]);
    },
  };
}

const recordOf = (sql: World["sql"], id: string) =>
  sql<{ answersHash: string; documentHash: string }>(
    `SELECT "answersHash", "documentHash" FROM consent_records WHERE "applicationId" = $1`,
    [id],
  );

/** Two clients on one filled-in review. */
async function twoClients(one: App, other: App, texts: [string, string]) {
  const { token, id } = await invited();
  await fillIn(one, token);
  const clients = [clientOf(one, token, texts[0]), clientOf(other, token, texts[1])] as const;
  for (const client of clients) await client.reads();
  return { id, clients };
}

const onlyWhatWasRead: Promised = {
  number: 27,
  async prove({ app, start, sql }) {
    const text = hashOf(defaultBrand);
    const changed = new Set<string>();
    await several(2 * rounds, 6, async (n) => {
      const { id, clients } = await twoClients(app, app, [text, text]);
      const [changer, submitter] = n % 2 ? clients : ([clients[1], clients[0]] as const);
      const name = savedAnswers[Math.floor(n / 2) % savedAnswers.length] ?? "loanAmount";
      same((await changer.changes(name)).status, 200, `status of a change of ${name}`);
      const refused = await submitter.submits();
      same(refused.status, 409, `status of a submission after ${name} had changed`);
      same(refused.body.data?.changed, ["answers"], "what has changed");
      same(submitter.unread(refused), [name], "the answer that has changed");
      same(await recordOf(sql, id), [], "consent records");
      await submitter.reads();
      same((await submitter.submits()).status, 200, "status once it was read");
      same((await recordOf(sql, id))[0]?.answersHash, submitter.version, "what was recorded");
      changed.add(name);
    });

    let won = 0;
    await several(rounds, 6, async (n) => {
      const { id, clients } = await twoClients(app, app, [text, text]);
      const name = savedAnswers[n % savedAnswers.length] ?? "loanAmount";
      const [, { status }] = await Promise.all([clients[0].changes(name), clients[1].submits()]);
      expect(status === 200 || status === 409, `a submission beside a change was answered ${status}`);
      const records = await recordOf(sql, id);
      same(
        records.map(({ answersHash }) => answersHash),
        status === 200 ? [clients[1].version] : [],
        "what was recorded",
      );
      won += records.length;
    });

    const brand = { ...defaultBrand, product: "RentSooner" };
    const other = await start({ settings: { BRAND_PRODUCT: brand.product } });
    const texts = [text, hashOf(brand)] as const;
    await several(2 * rounds, 6, async (n) => {
      const [mine, theirs] = n % 2 ? texts : ([texts[1], texts[0]] as const);
      const server = n % 2 ? other : app;
      // The page came from one server, and the submission goes to the other.
      const { id, clients } = await twoClients(server, server, [mine, theirs]);
      const refused = await clients[0].submits();
      same([refused.status, refused.body.data?.changed], [409, ["consent"]], "a text that is not in force");
      same((refused.body.data?.consent as { hash?: string } | undefined)?.hash, theirs, "the text to read instead");
      same(await recordOf(sql, id), [], "consent records");
      same((await clients[1].submits()).status, 200, "status once that text was read");
      same((await recordOf(sql, id))[0]?.documentHash, theirs, "the text that was recorded");
    });
    await other.end("SIGTERM");
    return `${2 * rounds} submissions after another client's change of one of ${changed.size} answers: ${2 * rounds} × 409, each naming it, 0 submitted; ${rounds} beside such a change: ${won} submitted as read, ${rounds - won} × 409; ${2 * rounds} between two servers of different consent texts: ${2 * rounds} × 409 with the text in force`;
  },
};

export const whatWasRead = [onlyWhatWasRead];
