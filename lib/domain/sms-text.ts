/** The limit for an SMS. Each segment costs money, and some phones show a long text in pieces. */
export const maxSegments = 2;

/** The basic alphabet of GSM 03.38, without the escape character. */
const basic = new Set(
  "@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !\"#¤%&'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà",
);

/** The extension table of GSM 03.38. Each character needs an escape, so it takes two places. */
const extension = new Set("\f^{}\\[~]|€");

/** Replacements for characters that Unicode does not decompose into letters of the alphabet. */
const replacements: Record<string, string> = {
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
 * Replaces characters that are not in the alphabet: a single 'ễ' turns a text into UCS-2, which has less than half as many
 * characters per segment. A character without a replacement stays as it is.
 */
export function toGsm7(text: string): string {
  return Array.from(text.normalize("NFC"), downgraded).join("");
}

function downgraded(character: string): string {
  if (isInAlphabet(character)) return character;
  const replacement = replacements[character];
  if (replacement !== undefined) return replacement;
  const bare = Array.from(character.normalize("NFKD").replace(/\p{Mn}/gu, ""), (part) => replacements[part] ?? part);
  return bare.every(isGsm7) ? bare.join("") : character;
}

const isInAlphabet = (character: string) => basic.has(character) || extension.has(character);

export function isGsm7(text: string): boolean {
  return Array.from(text).every(isInAlphabet);
}

/** The number of segments in which a text is sent. A character that takes two places is not split between segments. */
export function segmentsOf(text: string): number {
  const gsm7 = isGsm7(text);
  const [single, perSegment] = gsm7 ? [160, 153] : [70, 67];
  const places = Array.from(text, (character) => (gsm7 ? 1 + Number(extension.has(character)) : character.length));
  if (places.reduce((sum, size) => sum + size, 0) <= single) return 1;
  let segments = 1;
  let taken = 0;
  for (const size of places) {
    if (taken + size > perSegment) {
      segments += 1;
      taken = 0;
    }
    taken += size;
  }
  return segments;
}

/** The words that Twilio and the carriers treat as an opt-out. */
const stopWords = ["STOP", "STOPALL", "UNSUBSCRIBE", "CANCEL", "END", "QUIT", "REVOKE", "OPTOUT"];

/** No such reply is longer. Unicode normalisation takes quadratic time on many combining marks in the wrong order. */
const maxStopReply = 200;

/** Whether the letters of a reply are exactly one of these words. 'Stop.', 'stop all' and 'STOP 🙏' count. */
export function isStopWord(reply: string): boolean {
  const letters = reply.slice(0, maxStopReply).normalize("NFKC").replace(/\P{L}/gu, "");
  return stopWords.includes(letters.toUpperCase());
}
