import { answers, invitableAnswers } from "@/lib/domain/application";
import { exportHeadings } from "@/lib/server/applications/export";
import { invitationFields } from "@/lib/server/invitations/invitation";
import { slug } from "./output";

/** What lists call the columns about a person. */
const personal: Record<string, string[]> = {
  "first-name": ["given name", "forename"],
  "last-name": ["surname", "family name"],
  mobile: [
    "phone",
    "telephone",
    "cell",
    "mobile number",
    "mobile no",
    "phone number",
    "phone no",
    "mobile phone",
    "cell phone",
  ],
  email: ["email address", "mail"],
};
const landlords = ["", "landlord ", "landlord's "];
const agents = ["agent ", "agent's ", "manager ", "manager's ", "property manager ", "property manager's "];

/** 'E-mail', 'e_mail' and 'EMAIL' are the same heading. */
const keyOf = (heading: string) =>
  heading
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, "");

const named = [
  ...invitationFields.map(({ flag }) => [flag, flag] as const),
  ...invitableAnswers.map((name) => [answers[name].label ?? "", answers[name].flag ?? ""] as const),
  ...Object.entries(personal).flatMap(([flag, names]) =>
    [flag, ...names].flatMap((name) => [
      ...landlords.map((who) => [who + name, flag] as const),
      ...agents.map((who) => [who + name, `agent-${flag}`] as const),
    ]),
  ),
  ...[
    ["agency", "agency-name"] as const,
    ["rental address", "property-address"] as const,
    ["quotes", "quote"] as const,
  ],
];
const flagOfKey = new Map(named.map(([heading, flag]) => [keyOf(heading), flag]));

/** The flag that a column's heading means; undefined for another heading. */
export function flagOf(heading: string): string | undefined {
  // The name of an answer as an export for programs writes it. 'Contact number' could be anybody's, so only the exact name counts.
  const answer = invitableAnswers.find((name) => name === heading);
  return answer ? answers[answer].flag : flagOfKey.get(keyOf(heading));
}

/** The columns that our own export has besides those of an invitation. A list with references is one. */
export const isFromExport = (heading: string, headings: string[]) =>
  exportHeadings.includes(heading) && headings.some((other) => slug(other) === "reference");

const fieldWords = [
  ...["name", "surname", "mobile", "phone", "telephone", "cell", "contact", "email", "mail", "address", "property"],
  ...[
    "landlord",
    "agency",
    "agent",
    "manager",
    "quote",
    "invoice",
    "source",
    "lease",
    "rent",
    "loan",
    "consent",
    "expires",
  ],
];

/** Whether a heading seems to mean a field, perhaps mistyped. To copy such a column unread would lose what it holds. */
export function looksLikeField(heading: string): boolean {
  const words = heading
    .replace(/(\p{Ll})(?=\p{Lu})/gu, "$1 ")
    .toLowerCase()
    .split(/[^\p{L}]+/u);
  const key = keyOf(heading);
  return fieldWords.some(
    (known) =>
      words.some((word) => isLike(word, known)) || (known.length > 4 && key.includes(known)) || isLike(key, known),
  );
}

/** Whether two words are the same but for one letter, two that changed places, or a plural. */
function isLike(word: string, known: string): boolean {
  if (word === known || word === `${known}s`) return true;
  if (known.length < 5) return false;
  let start = 0;
  while (start < word.length && word[start] === known[start]) start += 1;
  const most = Math.min(word.length, known.length) - start;
  let end = 0;
  while (end < most && word.at(-1 - end) === known.at(-1 - end)) end += 1;
  const [left = "", right = ""] = [word, known].map((text) => text.slice(start, text.length - end));
  return (left.length <= 1 && right.length <= 1) || (left.length === 2 && left === right[1] + (right[0] ?? ""));
}
