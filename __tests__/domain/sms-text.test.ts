import { isGsm7, isStopWord, segmentsOf, toGsm7 } from "@/lib/domain/sms-text";

describe("Text in the GSM-7 alphabet", () => {
  test.each([
    ["Zoë", "Zoe"],
    ["Nguyễn Thị Hồng", "Nguyen Thi Hong"],
    ["José Ñandú", "José Ñandu"],
    ["Zoe\u0308", "Zoe"],
    ["Müller, Åsa & Øystein Straße", "Müller, Åsa & Øystein Straße"],
    ["Łukasz Wałęsa", "Lukasz Walesa"],
    ["Đorđe Šešelj", "Dorde Seselj"],
    ["Þórður Œuvré", "Thordur OEuvré"],
    ["İbrahim Yıldız Çağrı", "Ibrahim Yildiz Çagri"],
    ["Façade, Siân, Llŷr", "Facade, Sian, Llyr"],
    ["Ọlá Ṣọlá Ɔkɔ", "Ola Sola Oko"],
    ["O´Brien", "O'Brien"],
    ["O’Brien – “Ace”…", 'O\'Brien - "Ace"...'],
    ["a\u00a0b\u200bc\ufeffd\te", "a bcd e"],
    ["ﬁne ２４５０ ½", "fine 2450 1/2"],
    ["`code` €5 [x] {y} ~|^\\", "'code' €5 [x] {y} ~|^\\"],
    ["https://apply.example/?token=a-b_c", "https://apply.example/?token=a-b_c"],
  ])("%s becomes %s", (text, expected) => {
    expect(toGsm7(text)).toBe(expected);
    expect(isGsm7(expected)).toBe(true);
  });

  test.each(["李明", "Дмитрий", "Ελένη", "محمد", "🙂", "สมชาย", "राज", "김", "㈠"])(
    "%s has no equivalent and stays as it is",
    (name) => {
      expect(toGsm7(name)).toBe(name.normalize("NFC"));
      expect(isGsm7(toGsm7(name))).toBe(false);
    },
  );

  test("is not changed by a second conversion", () => {
    for (const text of ["Nguyễn", "“…”", "ﬁ½", "李 Zoë"]) expect(toGsm7(toGsm7(text))).toBe(toGsm7(text));
  });

  test("does not include the escape character", () => {
    expect(isGsm7("\u001b")).toBe(false);
  });
});

describe("The number of billed segments of", () => {
  test.each([
    ["nothing", "", 1],
    ["160 letters", "a".repeat(160), 1],
    ["161 letters", "a".repeat(161), 2],
    ["306 letters", "a".repeat(306), 2],
    ["307 letters", "a".repeat(307), 3],
    ["80 euro signs, of two places each", "€".repeat(80), 1],
    ["81 euro signs", "€".repeat(81), 2],
    ["a euro sign that does not fit into the rest of a segment", `${"a".repeat(152)}€${"a".repeat(152)}`, 3],
    ["70 characters of UCS-2", `${"a".repeat(69)}ễ`, 1],
    ["71 of UCS-2", `${"a".repeat(70)}ễ`, 2],
    ["134 of UCS-2", "ễ".repeat(134), 2],
    ["135 of UCS-2", "ễ".repeat(135), 3],
    ["35 emoji, of two places each", "🙂".repeat(35), 1],
    ["an emoji that does not fit into the rest of a segment", `${"ễ".repeat(66)}🙂${"ễ".repeat(66)}`, 3],
  ])("%s", (_, text, expected) => {
    expect(segmentsOf(text)).toBe(expected);
  });
});

test.each([
  ...["STOP", "stop", " Stop. ", "STOP!", "Stop all", "unsubscribe", "Cancel", "end", "QUIT", "opt-out", "revoke"].map(
    (answer) => [answer, true] as const,
  ),
  ...["STOP 🙏", "STOP\u200b", "<STOP>", "ＳＴＯＰ", "STOP 2", "*stop*\ufe0f"].map((answer) => [answer, true] as const),
  ...["Please stop calling me", "stopped", "I'll quit on Friday", "no", "", "2", "start"].map(
    (answer) => [answer, false] as const,
  ),
])("The answer '%s' means stop: %s", (answer, expected) => {
  expect(isStopWord(answer)).toBe(expected);
});
