/** What an SMS of ours may have; each segment is paid for, and long texts arrive in pieces on some phones. */
export const mostSegments = 2;

/** GSM 03.38's basic alphabet, without the escape. */
const basic = new Set(
  "@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !\"#¤%&'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà",
);

/** Its extension table: each takes an escape as well, so two places. */
const extension = new Set("\f^{}\\[~]|€");

/** What Unicode does not decompose into letters of the alphabet. */
const likenesses: Record<string, string> = {
  ...{ "‘": "'", "’": "'", "‚": "'", "‛": "'", "′": "'", "`": "'", "´": "'", ʻ: "'", ʼ: "'", "‹": "<", "›": ">" },
  ...{ "“": '"', "”": '"', "„": '"', "‟": '"', "″": '"', "«": '"', "»": '"' },
  ...{ "‐": "-", "‑": "-", "‒": "-", "–": "-", "—": "-", "―": "-", "−": "-", "⁄": "/", "•": "-", "·": "." },
  ...{ "\t": " ", "\u00ad": "", "\u200b": "", "\u200c": "", "\u200d": "", "\u2060": "", "\ufeff": "" },
  ...{ "\u200e": "", "\u200f": "", "\u2028": "\n", "\u2029": "\n", "×": "x", "©": "(c)", "®": "(R)" },
  ...{ ı: "i", ł: "l", Ł: "L", đ: "d", Đ: "D", ð: "d", Ð: "D", þ: "th", Þ: "Th", œ: "oe", Œ: "OE", ẞ: "SS" },
  ...{ ħ: "h", Ħ: "H", ŧ: "t", Ŧ: "T", ŋ: "n", Ŋ: "N", ĸ: "k", ə: "e", Ə: "E", ɛ: "e", Ɛ: "E", ɔ: "o", Ɔ: "O" },
  ...{ ɖ: "d", Ɖ: "D", ɗ: "d", Ɗ: "D", ɓ: "b", Ɓ: "B", ƙ: "k", Ƙ: "K", ƴ: "y", Ƴ: "Y", ɣ: "g", Ɣ: "G" },
};

/**
 * The text in letters that leave room: one 'ễ' turns a text into UCS-2, which has less than half as many characters to a
 * segment. A letter without a likeness in the alphabet stays as it is.
 */
export function inGsm7(text: string): string {
  return Array.from(text.normalize("NFC"), downgraded).join("");
}

function downgraded(character: string): string {
  if (isInAlphabet(character)) return character;
  const likeness = likenesses[character];
  if (likeness !== undefined) return likeness;
  const bare = Array.from(character.normalize("NFKD").replace(/\p{Mn}/gu, ""), (part) => likenesses[part] ?? part);
  return bare.every(isGsm7) ? bare.join("") : character;
}

const isInAlphabet = (character: string) => basic.has(character) || extension.has(character);

/** Whether every character is in the alphabet or its extension. */
export function isGsm7(text: string): boolean {
  return Array.from(text).every(isInAlphabet);
}

/** How many segments the text is sent in. A character that takes two places is not divided between them. */
export function segmentsOf(text: string): number {
  const gsm7 = isGsm7(text);
  const [alone, each] = gsm7 ? [160, 153] : [70, 67];
  const places = Array.from(text, (one) => (gsm7 ? 1 + Number(extension.has(one)) : one.length));
  if (places.reduce((sum, one) => sum + one, 0) <= alone) return 1;
  let segments = 1;
  let taken = 0;
  for (const one of places) {
    if (taken + one > each) {
      segments += 1;
      taken = 0;
    }
    taken += one;
  }
  return segments;
}

/** The words that Twilio and the carriers take for a wish to hear no more. */
const stopWords = ["STOP", "STOPALL", "UNSUBSCRIBE", "CANCEL", "END", "QUIT", "REVOKE", "OPTOUT"];

/** Whether an answer is one of these words and nothing else; 'Stop.' and 'stop all' are. */
export function isStopWord(answer: string): boolean {
  return stopWords.includes(answer.toUpperCase().replace(/[\s\p{P}]/gu, ""));
}
