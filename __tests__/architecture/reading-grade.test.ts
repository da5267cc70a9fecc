import { fleschKincaid } from "flesch-kincaid";
import { syllable } from "syllable";
import { passagesOfOurs } from "@/__tests__/support/sentences";

const highest = 9;
/** The grade is meant for running text: in a heading of five words, the word 'application' alone decides it. */
const fewestWords = 6;

/** Sentences whose wording is prescribed: those of the specification, and the notice that an amount was recalculated. */
const prescribed = [
  "Get pre-approved for flexible property funding",
  "Your property manager receives approved funds.",
  "Most applications are processed within Ada.",
  "This lets us assess your eligibility and decide how much funding we can provide.",
  "Because your Ada changed, we've recalculated the amount: Ada.",
];

const wordsIn = (text: string) => text.match(/[\p{L}\p{N}][\p{L}\p{N}'’,.-]*/gu)?.length ?? 0;
/** The US school grade that reads these sentences with ease. */
const gradeOf = (...sentences: string[]) => {
  const text = sentences.join(" ");
  return fleschKincaid({ sentence: sentences.length, word: wordsIn(text), syllable: syllable(text) });
};

/** Groups the sentences that are too short to be graded alone with their neighbours. */
function shortWithNeighbours(sentences: string[]): string[][] {
  const isShort = (text: string) => text.endsWith(".") && wordsIn(text) < fewestWords;
  const groups: string[][] = [];
  for (const sentence of sentences) {
    const before = groups.at(-1);
    if (before && (isShort(sentence) || before.every(isShort))) before.push(sentence);
    else groups.push([sentence]);
  }
  return groups.filter(({ length }) => length > 1);
}

const passages = passagesOfOurs();
/** The desk is for people who read the words of applications all day. */
const isOfDesk = (file: string) => file.includes("/desk/") || file.includes(".desk.");
const graded = passages
  .filter(({ file }) => !isOfDesk(file))
  .flatMap(({ file, sentences }) => {
    const ours = sentences.filter((text) => !prescribed.includes(text));
    return [...ours.map((text) => [text]), ...shortWithNeighbours(ours)]
      .filter((group) => wordsIn(group.join(" ")) >= fewestWords)
      .map((group) => ({ file, group }));
  });

test(`no sentence needs a reading grade above ${highest}`, () => {
  const hard = graded.filter(({ group }) => gradeOf(...group) > highest);
  expect(hard.map(({ file, group }) => `${gradeOf(...group).toFixed(1)} ${file}: ${group.join(" ")}`)).toEqual([]);
});

test("the sentences include screens, emails, SMS and calls, with a placeholder for each value", () => {
  expect(graded.length).toBeGreaterThan(250);
  const texts = passages.flatMap(({ sentences }) => sentences);
  for (const sentence of [
    "Ask your tax adviser what you can claim.",
    "You'll continue at step Ada of Ada, Ada.",
    "We're keeping what you type on this device.",
    "Ada invites you to apply for Ada.",
    "Ada: apply for an advance on your rental income",
    "I want to apply for the Ada Loan.",
    "Your application has changed since you read it",
    "Step Ada (Ada) isn't complete",
    "Your answers took too long to reach us.",
    ...prescribed,
  ])
    expect(texts).toContain(sentence);
});

test("a short sentence is graded together with its neighbour", () => {
  const [offline, polite, easy] = ["You're offline.", "Please continue.", "We'll keep it on this device for you."];
  expect(shortWithNeighbours([offline, easy])).toEqual([[offline, easy]]);
  expect(shortWithNeighbours([easy, polite, easy])).toEqual([[easy, polite]]);
  expect(shortWithNeighbours([offline, polite, easy, easy])).toEqual([[offline, polite, easy]]);
  expect(shortWithNeighbours(["Your application", easy])).toEqual([]);
});

test("a hard sentence gets a grade above the limit, and an easy one a grade below it", () => {
  const hard = "You authorise the aforementioned intermediary to effectuate deductions irrespective of your election.";
  expect(gradeOf(hard)).toBeGreaterThan(highest);
  expect(gradeOf("We'll email you the outcome as soon as we can.")).toBeLessThan(highest);
});
