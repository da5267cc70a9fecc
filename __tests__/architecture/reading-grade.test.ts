import { fleschKincaid } from "flesch-kincaid";
import { syllable } from "syllable";
import { sentencesOfOurs } from "@/__tests__/support/sentences";

const highest = 9;
/** The grade is of running text: in a heading of five words, one 'application' alone decides it. */
const fewestWords = 6;

/** In words that were asked for: of the specification, and the notice that an amount was recalculated. */
const prescribed = [
  "Get pre-approved for flexible property funding",
  "Your property manager receives approved funds.",
  "This lets us assess your eligibility and decide how much funding we can provide.",
  "Because your Ada changed, we've recalculated the amount: Ada.",
];

const wordsIn = (text: string) => text.match(/[\p{L}\p{N}][\p{L}\p{N}'’,.-]*/gu)?.length ?? 0;
/** The school year of the United States that reads it with ease. */
const gradeOf = (text: string) => fleschKincaid({ sentence: 1, word: wordsIn(text), syllable: syllable(text) });

const sentences = sentencesOfOurs().filter(({ text }) => wordsIn(text) >= fewestWords);

test(`no sentence of ours needs more than grade ${highest} to read`, () => {
  const ours = sentences.filter(({ text }) => !prescribed.includes(text));
  const hard = ours.filter(({ text }) => gradeOf(text) > highest);
  expect(hard.map(({ file, text }) => `${gradeOf(text).toFixed(1)} ${file}: ${text}`)).toEqual([]);
});

test("the sentences are those of screens, messages, emails and SMS, whole and with a stand-in for each value", () => {
  expect(sentences.length).toBeGreaterThan(250);
  const texts = sentences.map(({ text }) => text);
  for (const said of [
    "Ask your tax adviser what you can claim.",
    "You'll carry on at step Ada of Ada, Ada.",
    "We're keeping what you type on this device.",
    "Ada invites you to apply for Ada.",
    "Ada: apply for an advance on your rental income",
    "I want to apply for the Ada Loan.",
    ...prescribed,
  ])
    expect(texts).toContain(said);
});

test("a hard sentence is found hard, and an easy one easy", () => {
  const hard = "You authorise the aforementioned intermediary to effectuate deductions irrespective of your election.";
  expect(gradeOf(hard)).toBeGreaterThan(highest);
  expect(gradeOf("We'll email you the outcome as soon as we can.")).toBeLessThan(highest);
});
