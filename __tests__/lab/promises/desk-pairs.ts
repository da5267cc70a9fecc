import { application, type Fields, openDesk, type Person, signedIn } from "@/__tests__/lab/promises/support/desk";
import { expect, same } from "@/__tests__/lab/promises/support/expect";
import { promise, type World } from "@/__tests__/lab/promises/support/world";
import { callAction, deskActions, deskUrl } from "@/__tests__/support/desk";
import { runConcurrently } from "@/__tests__/support/processes/run-concurrently";
import { approver, clerk } from "@/lib/development/staff";

const times = 20;

/** The buttons of an application: the action of each, and what its form sends besides what its page shows. */
const buttons: Record<string, [action: string, fields?: Fields]> = {
  Take: ["take"],
  Release: ["release"],
  "Add a note": ["note", { note: "Call first" }],
  "Start review": ["review"],
  Undo: ["undoChange"],
  Approve: ["setDecision", { to: "approved", reason: "Right" }],
  Decline: ["setDecision", { to: "declined", reason: "Wrong" }],
  "Correct contact": ["correct", { email: "right@mail.example", send: "on" }],
  "Send a new link": ["sendLink"],
  "Revoke links": ["revoke"],
  Erase: ["erase"],
};
/** They change nothing that another button's page must have shown, so they may follow any change. */
const free = ["Take", "Release", "Add a note"];

const names = Object.keys(buttons);
const pairs = names.flatMap((first, index) => names.slice(index).map((second) => [first, second] as const));

type Cookies = Record<Person, string>;
type Shown = Awaited<ReturnType<typeof application>>["shown"];

interface Answer {
  isDone: boolean;
  said: string;
}

async function press(name: string, cookie: string, shown: Fields): Promise<Answer> {
  const [action = "", fields = {}] = buttons[name] ?? [];
  const found = deskActions().find((candidate) => candidate.name === action);
  expect(found, `the desk has no action ${action}`);
  const { done, refused, text } = await callAction(found, { ...shown, ...fields }, { origin: deskUrl(), cookie });
  const said = done ?? refused;
  expect(said !== null, `${name}: ${text.slice(0, 300)}`);
  return { isDone: done !== null, said };
}

const changed = /has changed since you opened this page: (.*)\. Nothing was done/;

/** Presses a button as the page showed it and, if that was outdated, once more. Returns what the person read. */
async function pressTwice(name: string, cookie: string, page: Fields, shown: Shown): Promise<Answer[]> {
  const first = await press(name, cookie, page);
  return changed.test(first.said) ? [first, await press(name, cookie, await shown())] : [first];
}

/** Two people press these buttons of one application, whose page both have loaded before. Returns all that came of it. */
async function tryPair(
  world: World,
  cookies: Cookies,
  [left, right]: readonly [string, string],
  order: "first" | "second" | "at once",
) {
  const pressed = [left, right];
  const state = pressed.includes("Correct contact") ? "draft" : pressed.includes("Undo") ? "in-review" : "submitted";
  const { id, reference, mobile, shown } = await application(world, state, pressed.includes("Release"));
  const page = await shown();
  const steps = [
    () => pressTwice(left, cookies.Casey, page, shown),
    () => pressTwice(right, cookies.Robin, page, shown),
  ] as const;
  const read: Answer[][] = [];
  if (order === "at once") read.push(...(await Promise.all(steps.map((step) => step()))));
  else for (const n of order === "first" ? [0, 1] : [1, 0]) read[n] = (await steps[n]?.()) ?? [];
  const [stored] = await world.sql(
    `SELECT status, "takenBy", "invitedEmail" LIKE 'right@%' AS "isCorrected", "erasedAt" IS NOT NULL AS "isErased",
      (SELECT string_agg(concat_ws(' ', e.kind, e.detail, e.by, e.reason), '; ' ORDER BY e.id) FROM events e WHERE e."applicationId" = a.id AND e.id > $2) AS events,
      (SELECT count(*)::int FROM links l WHERE l."applicationId" = a.id AND "revokedAt" IS NULL) AS links,
      (SELECT string_agg(concat_ws(' ', m.kind, m.state), '; ' ORDER BY m.number) FROM messages m WHERE m."applicationId" = a.id) AS messages
    FROM applications a WHERE id = $1`,
    [id, page.version],
  );
  const outcome = JSON.stringify({ read, stored }).replaceAll(reference, "REFERENCE").replaceAll(mobile, "MOBILE");
  return { read, outcome };
}

/** Of two buttons that exclude each other, one has an effect. Whose page was outdated reads what the other person did. */
function check(pair: readonly [string, string], read: Answer[][]): void {
  for (const [n, other] of [approver, clerk].entries()) {
    const happened = changed.exec(read[n]?.[0]?.said ?? "")?.[1];
    expect(happened === undefined || happened.includes(`by ${other}`), `${pair[n]} beside ${pair[1 - n]}: ${read[n]}`);
  }
  if (pair.some((name) => free.includes(name))) return;
  same(read.filter(([first]) => first?.isDone).length, 1, `effects of ${pair.join(" and ")}: ${JSON.stringify(read)}`);
}

promise(86, async (world) => {
  const start = await openDesk(world);
  const both = { DESK_CLERKS: "", DESK_APPROVERS: `${clerk},${approver}` };
  const desk = await start(both);
  const [casey, robin] = [await signedIn(world, "Casey"), await signedIn(world, "Robin")];
  const cookies = { Casey: casey.cookie, Robin: robin.cookie };
  let outdated = 0;
  for (const pair of pairs) {
    const [first, second] = [
      await tryPair(world, cookies, pair, "first"),
      await tryPair(world, cookies, pair, "second"),
    ];
    const tries = await runConcurrently(times, 4, () => tryPair(world, cookies, pair, "at once"));
    for (const { read, outcome } of [first, second, ...tries]) {
      expect(
        [first.outcome, second.outcome].includes(outcome),
        `${pair.join(" and ")} at once: ${outcome}, not ${first.outcome} or ${second.outcome}`,
      );
      check(pair, read);
      outdated += read.filter((answers) => answers.length > 1).length;
    }
  }
  const { shown } = await application(world, "submitted");
  const note = async (cookie: string) => press("Add a note", cookie, await shown());
  const isOut = ({ said }: Answer) => said.startsWith("You have been signed out");
  await desk.end("SIGTERM");
  await start({ ...both, DESK_APPROVERS: approver });
  same(
    [isOut(await note(cookies.Casey)), isOut(await note(cookies.Robin))],
    [true, false],
    "refused after the restart",
  );
  await robin.page.getByRole("button", { name: "Sign out" }).click();
  await robin.page.getByText("You have signed out.").waitFor();
  same(isOut(await note(cookies.Robin)), true, "refused after the sign-out");
  return `${pairs.length} pairs of buttons, ${times} times each: every outcome is that of one order, ${outdated} times somebody read what had changed; off the settings: refused after the restart; signed out: refused at once`;
});
