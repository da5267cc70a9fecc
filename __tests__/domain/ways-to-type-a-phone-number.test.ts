import { agent } from "@/__tests__/support/answers";
import { reportFigure } from "@/__tests__/support/size";
import { type Country, countries } from "@/lib/domain/phone";
import { readTypedPhone, typablePhone } from "@/lib/domain/typed-phone";
import { check } from "@/lib/schemas/check";
import { agentSchema } from "@/lib/schemas/steps";

/** A national number of each country, without the prefix that is dialled inside the country. */
const nationals: Record<string, string> = {
  US: "2133734253",
  CA: "6045550100",
  AU: "412345678",
  GB: "7911123456",
  DE: "1512345678",
  FR: "612345678",
  IT: "3331234567",
  ES: "612345678",
  JP: "9012345678",
  CN: "13812345678",
  IN: "9876543210",
  BR: "11912345678",
  MX: "5512345678",
  RU: "9123456789",
  KR: "1012345678",
};
const trunks: Record<string, string> = { US: "1", CA: "1", RU: "8", IT: "", ES: "", MX: "" };

interface Typed {
  way: string;
  text: string;
  /** The country selected before typing. */
  selected: string;
  /** All digits that the applicant meant, with the dial code. */
  meant: string;
  /** Whether the number has the right length. */
  isRight: boolean;
}

const grouped = (digits: string, gap: string) => digits.replace(/(\d{3})(?=\d)/g, `$1${gap}`);
const inScript = (zero: number) => (text: string) =>
  text.replace(/\d/g, (digit) => String.fromCodePoint(zero + Number(digit))).replace("+", zero === 0xff10 ? "＋" : "+");
const fullWidth = inScript(0xff10);
const arabic = inScript(0x660);
const extended = inScript(0x6f0);

/** Forty ways to type or paste a number of a country. */
function waysToType({ code, dialCode }: Country): Typed[] {
  const national = nationals[code] ?? "";
  const trunk = trunks[code] ?? "0";
  const home = trunk + national;
  const meant = dialCode + national;
  const elsewhere = code === "AU" ? "GB" : "AU";
  const bracketed = trunk === "0" ? "(0)" : "";
  const right: Record<string, string> = {
    "national number": national,
    "as dialled at home": home,
    spaces: grouped(home, " "),
    dashes: grouped(home, "-"),
    dots: grouped(home, "."),
    "en dashes": grouped(home, "–"),
    slashes: grouped(home, "/"),
    brackets: `(${home.slice(0, 3)}) ${home.slice(3)}`,
    "spaces that do not break": grouped(home, "\u00a0"),
    "ideographic spaces": grouped(home, "\u3000"),
    "space around": `  ${home}\n`,
    "marks of direction": `\u202a+${meant}\u202c`,
    "invisible marks": grouped(home, "\u200b"),
    "a word before": `mob: ${home}`,
    "a link": `tel:+${meant}`,
    plus: `+${meant}`,
    "plus and spaces": `+${dialCode} ${grouped(national, " ")}`,
    "plus in brackets": `(+${dialCode}) ${national}`,
    "plus and a zero in brackets": `+${dialCode} ${bracketed}${national}`,
    "plus and what is dialled at home": `+${dialCode} ${home}`,
    "00": `00${meant}`,
    "00 and spaces": `00 ${dialCode} ${grouped(national, " ")}`,
    "00 in brackets": `(00${dialCode}) ${national}`,
    "0011": `0011${meant}`,
    "0011 and dashes": `0011-${dialCode}-${national}`,
    "dial code without plus": `${dialCode} ${national}`,
    "full-width": fullWidth(grouped(home, " ")),
    "full-width with plus": fullWidth(`+${meant}`),
    "full-width with 0011": fullWidth(`0011 ${meant}`),
    Arabic: arabic(home),
    "Arabic with plus": arabic(`+${meant}`),
    "extended Arabic": extended(grouped(home, " ")),
  };
  const typed = (way: string, text: string, more: Partial<Typed> = {}): Typed => ({
    way,
    text,
    selected: code,
    meant,
    isRight: true,
    ...more,
  });
  return [
    ...Object.entries(right).map(([way, text]) => typed(way, text)),
    typed("plus, from another country", `+${meant}`, { selected: elsewhere }),
    typed("0011, from another country", `0011 ${meant}`, { selected: elsewhere }),
    typed("key by key", grouped(home, " ")),
    typed("plus, key by key from another country", `+${meant}`, { selected: elsewhere }),
    typed("0011, key by key from another country", `0011${meant}`, { selected: elsewhere }),
    typed("three digits too many", `${national}999`, { meant: `${meant}999`, isRight: false }),
    typed("eight digits too many, with plus", `+${meant}77777777`, { meant: `${meant}77777777`, isRight: false }),
    typed("a digit missing", national.slice(0, -1), { meant: meant.slice(0, -1), isRight: false }),
  ];
}

const everyWay = countries.flatMap((country) =>
  waysToType(country).map((typed) => ({ country: country.name, ...typed })),
);

/** The digits that the field holds after a paste. The country follows the pasted number. */
const pasted = ({ text, selected }: Typed) => readTypedPhone(typablePhone(text), selected).digits;

function typedByKey({ text, selected }: Typed): string {
  let shown = "";
  let read: { country: string | null; digits: string } = { country: selected, digits: "" };
  for (const key of text) {
    shown = typablePhone(shown + key);
    read = readTypedPhone(shown, read.country);
  }
  return read.digits;
}

test.each(everyWay)("$country, $way: '$text' keeps every digit, and an invalid number gets an error", (typed) => {
  const digits = typed.way.includes("key by key") ? typedByKey(typed) : pasted(typed);
  expect(digits).toBe(typed.meant);
  const { data, errors } = check(agentSchema, { ...agent, contactNumber: digits });
  if (data) expect(data.contactNumber).toBe(typed.meant);
  else expect([typed.isRight, errors?.contactNumber]).toEqual([false, expect.any(String)]);
});

test("each country has forty ways", () => {
  expect(everyWay).toHaveLength(countries.length * 40);
  reportFigure(36, `${countries.length} countries × 40 ways to type or paste a number: 0 digits lost`);
});
