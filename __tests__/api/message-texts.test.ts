import { readFileSync } from "node:fs";
import { callCommand } from "@/__tests__/support/call-command";
import { lender } from "@/__tests__/support/lender";
import { reportFigure } from "@/__tests__/support/size";
import { emails, everyValue, smsTexts } from "@/__tests__/support/template-data";
import { type Brand, defaultBrand } from "@/lib/brand";
import { isGsm7, segmentsOf, toGsm7 } from "@/lib/domain/sms-text";
import { applicationStatuses } from "@/lib/domain/statuses";
import { type MessageKind, messageKindOf } from "@/lib/server/outbox/message-kinds";
import { readSettings } from "@/lib/server/settings";
import { greeting } from "@/lib/server/templates/as-text";
import { html, light } from "@/lib/server/templates/html";
import { freshLinkSms } from "@/lib/server/templates/invitation";
import type { TemplateData } from "@/lib/server/templates/letter";
import { smsTo } from "@/lib/server/templates/texts";

/** First names and family names of 30 languages. */
const languages: Record<string, [first: string, family: string]> = {
  English: ["Alex Mary-Jane Siobhán Chloë Sean Zoe", "Smith O'Neill Taylor-Brown McKay Ward Hughes"],
  Vietnamese: ["Thị Đức Hương Tuấn Nguyệt Ánh", "Nguyễn Trần Lê Phạm Huỳnh Võ"],
  Mandarin: ["伟 芳 秀英 敏 静 强", "王 李 张 刘 陈 欧阳"],
  Cantonese: ["家豪 詠詩 志明 嘉欣 子軒 美玲", "黃 陳 林 梁 何 司徒"],
  Japanese: ["さくら 健太 美咲 翔 ユキ 陽子", "佐藤 鈴木 高橋 田中 渡辺 齋藤"],
  Korean: ["민준 서연 지훈 하은 도윤 수빈", "김 이 박 최 정 남궁"],
  Arabic: ["محمد فاطمة أحمد عائشة يوسف مريم", "الهاشمي العلي حسن إبراهيم منصور قاسم"],
  Persian: ["زهرا علی‌رضا مریم حسین نگار مهدی", "احمدی رضایی محمدی کریمی موسوی نوری"],
  Hebrew: ["נועה יוסף תמר דוד מאיה אברהם", "כהן לוי מזרחי פרץ ביטון אזולאי"],
  Hindi: ["प्रिया राहुल अनीता विक्रम कृष्णा सीता", "शर्मा गुप्ता सिंह वर्मा मिश्रा त्रिपाठी"],
  Punjabi: ["ਹਰਪ੍ਰੀਤ ਗੁਰਮੀਤ ਸਿਮਰਨ ਜਸਵਿੰਦਰ ਮਨਦੀਪ ਅਮਨ", "ਸਿੰਘ ਕੌਰ ਗਿੱਲ ਸੰਧੂ ਧਾਲੀਵਾਲ ਬਰਾੜ"],
  Tamil: ["கார்த்திக் லட்சுமி முருகன் பிரியா அருண் மீனா", "சுப்பிரமணியம் கிருஷ்ணன் ராமன் குமார் செல்வம் நாயர்"],
  Sinhala: ["නිමල් ශ්‍රියානි කමල් දිල්හානි සුනිල් චමරි", "පෙරේරා සිල්වා ප්‍රනාන්දු ජයවර්ධන බණ්ඩාර දිසානායක"],
  Bengali: ["রহিম সুমিত্রা অর্ণব ফারজানা দেবাশিস মৌ", "চট্টোপাধ্যায় ইসলাম দাস ঘোষ রহমান সেন"],
  Nepali: ["सुनिता विष्णु गीता राजेश माया कुमार", "श्रेष्ठ तामाङ गुरुङ राई थापा अधिकारी"],
  Thai: ["สมชาย กัญญา ณัฐ ศิริพร วิชัย นภา", "แสงทอง ใจดี ศรีสุข วงศ์ใหญ่ ทองคำ บุญมี"],
  Greek: [
    "Γιώργος Ελένη Κωνσταντίνος Αγγελική Νίκος Ζωή",
    "Παπαδόπουλος Ιωάννου Δημητρίου Γεωργίου Νικολαΐδης Βασιλείου",
  ],
  Russian: ["Алёна Дмитрий Наталья Сергей Юлия Пётр", "Иванов Королёва Щербаков Ёлкина Петров-Водкин Чайка"],
  Ukrainian: ["Олена Їжак Ґалаґан Євген Мар'яна Тарас", "Шевченко Коваль Бондаренко Лисенко Мельник Гнатюк"],
  Serbian: ["Đorđe Živana Ljiljana Nemanja Šaban Ćira", "Đoković Petrović Živković Šćepanović Nikolić Čolić"],
  Polish: [
    "Łukasz Małgorzata Grzegorz Żaneta Michał Święty",
    "Wójcik Kowalska-Dąbrowska Żółkiewski Śliwa Źrebiec Łęcki",
  ],
  Czech: ["Jiří Růžena Ondřej Šárka Zdeněk Květa", "Dvořák Nováková Procházka Řezníček Černý Žižka"],
  Hungarian: ["Árpád Erzsébet Győző Ödön Ágnes Tünde", "Nagy Kovács Szőke Tóth Őry Hegedűs"],
  Romanian: ["Ștefan Ioana Țuțu Mădălina Răzvan Gheorghe", "Popescu Ionescu Țepeș Șerban Brâncuși Dumitrașcu"],
  Turkish: ["Ayşe İbrahim Çağla Oğuz Gülşah Işıl", "Yılmaz Öztürk Çelik Şahin Kılıç Güneş"],
  German: ["Jürgen Bärbel Weiß Götz Käthe Björn", "Müller Groß Schäfer Köhler Strauß Krüger"],
  French: ["François Anaïs Noël Chloé Gaël Hélène", "Lefèvre Béranger D’Arcy L'Hôte Œuvray Guérin"],
  Portuguese: ["João Conceição Luísa Antônio Inês Simão", "Gonçalves Araújo Magalhães Simões Brandão Pinhão"],
  Icelandic: [
    "Þór Guðrún Æsa Ívar Sigríður Björk",
    "Jónsdóttir Þorvaldsson Ægisson Ólafsdóttir Guðmundsson Sæmundsdóttir",
  ],
  Māori: ["Āwhina Tāne Mākere Wīremu Hōne Ngaio", "Te-Kanawa Ngāta Tūroa Pōmare Hēnare Wairau"],
};

/** 36 full names of each language. */
const names = Object.values(languages).flatMap(([first, family]) =>
  first.split(" ").flatMap((one) => family.split(" ").map((other) => `${one} ${other}`)),
);

const australian: Brand = { ...readSettings(lender).brand, locale: "en-AU", currency: "AUD" };
const longNames: Brand = {
  ...defaultBrand,
  name: "Northern Rivers Lending",
  legalName: "Northern Rivers and Tablelands Landlord Lending Cooperative Pty Limited",
  supportPhone: "+61 (2) 5550 0000",
};
const vietnameseNames = { name: "Nhà Đất", legalName: "Công ty Nhà Đất Sài Gòn [€]" };
const vietnamese: Brand = { ...defaultBrand, ...vietnameseNames, locale: "vi-VN" };
const brands = [defaultBrand, australian, longNames, vietnamese];

/** Template data with every value, then with fewer and fewer values. */
const states: TemplateData[] = [
  ...applicationStatuses.map((status) => ({ ...everyValue, status })),
  { ...everyValue, link: undefined, linkUntil: undefined },
  { ...everyValue, linkUntil: undefined, amount: undefined },
  { ...everyValue, stop: undefined },
  { reference: "K7QM-4XRT", name: "" },
  { reference: "", name: "" },
];

const kindsOf = (templates: object) => Object.keys(templates) as MessageKind[];
const broken = /undefined|null|NaN|Invalid|\[object/;

function checkEmail(kind: MessageKind, data: TemplateData, brand: Brand): void {
  const email = emails[kind]?.render(data, brand);
  const { isCommercial, link } = messageKindOf(kind);
  const htmlAsText = (email?.html ?? "")
    .replace(/<style>.*?<\/style>|<[^>]+>/gs, " ")
    .replace(/&#(\d+);/g, (_, code) => String.fromCharCode(code));
  const optOut = data.stop ?? "stop these messages";
  for (const part of [email?.text, email?.html]) expect(part?.includes(optOut)).toBe(isCommercial === true);
  for (const text of [email?.text, htmlAsText]) {
    for (const detail of [brand.legalName, brand.companyNumber, brand.licence, brand.supportPhone, brand.supportEmail])
      expect(text).toContain(detail);
    expect(text).not.toMatch(broken);
    if (data.link) expect(text?.includes(data.link)).toBe(link !== undefined);
  }
  expect(email?.subject).toMatch(/^.+$/);
  expect(email?.subject).not.toMatch(broken);
}

const smsOf = (kind: MessageKind, data: TemplateData, brand: Brand) => smsTexts[kind]?.render(data, brand) ?? "";

function checkSms(kind: MessageKind, data: TemplateData, brand: Brand, text = smsOf(kind, data, brand)): void {
  const sent = toGsm7(text);
  expect(isGsm7(sent)).toBe(true);
  expect(segmentsOf(sent)).toBeLessThanOrEqual(2);
  for (const detail of [brand.legalName, brand.supportPhone]) expect(text).toContain(detail);
  if (messageKindOf(kind).isCommercial) expect(text).toMatch(/stop: /i);
  if (messageKindOf(kind).link && data.link) expect(text.split("\n")).toContain(data.link);
  expect(text).not.toMatch(broken);
}

test.each(kindsOf(emails))("an email of kind %s names the lender and, if it is commercial, how to opt out", (kind) => {
  for (const brand of brands) for (const state of states) checkEmail(kind, state, brand);
});

test.each(kindsOf(smsTexts))(
  "an SMS of kind %s names the lender in at most two segments, whoever it is for",
  (kind) => {
    for (const brand of brands) {
      // No SMS contains the name today, so all these texts are one.
      const texts = new Set(names.map((name) => smsOf(kind, { ...everyValue, name }, brand)));
      for (const text of texts) checkSms(kind, everyValue, brand, text);
    }
    for (const state of states) checkSms(kind, state, defaultBrand);
  },
);

const withLink = kindsOf(smsTexts).filter((kind) => messageKindOf(kind).link);

test.each(withLink)("an SMS of kind %s names the year until which its link works if that is far away", (kind) => {
  const data = { ...everyValue, linkUntil: new Date("2126-09-30T04:00:00Z") };
  expect(smsOf(kind, data, defaultBrand)).toMatch(/works until (30 Sep|Sep(tember)? 30, )2126/);
  for (const brand of brands) checkSms(kind, data, brand);
});

test.each(kindsOf(emails))("an email of kind %s names a lender called 'Inc.' with one full stop", (kind) => {
  const { text = "", html = "" } = emails[kind]?.render(everyValue, { ...defaultBrand, legalName: "Elm Inc." }) ?? {};
  expect(text).toContain("Elm Inc.");
  for (const body of [text, html]) expect(body).not.toContain("..");
});

test("every recipient is greeted by name", () => {
  for (const name of names)
    expect(emails.invitation?.render({ ...everyValue, name }, defaultBrand).text.split("\n")[0]).toBe(`Hello ${name},`);
  const mails = `${kindsOf(emails).length} kinds of email in ${states.length} states of ${brands.length} lenders`;
  const texts = `${kindsOf(smsTexts).length} kinds of SMS for ${names.length} names`;
  reportFigure(50, `${mails}: lender and way to stop; ${texts}: at most two segments`);
});

const brand = { ...defaultBrand, locale: "en-AU", currency: "AUD" };
const samples = Object.entries(emails).map(([kind, template]) => [kind, template.render(everyValue, brand)] as const);
const textOf = (kind: keyof typeof emails, overrides: Partial<typeof everyValue> = {}) =>
  emails[kind]?.render({ ...everyValue, ...overrides }, brand).text ?? "";

test("values are written as text, never as markup", () => {
  const { markup } = html`<p title="${'"><b>'}">${["a<b", html`<i>${"&"}</i>`]}</p>`;
  expect(markup).toBe('<p title="&#34;&#62;&#60;b&#62;">a&#60;b<i>&#38;</i></p>');
});

test.each([
  ...["Ada", "Mary-Jane O'Neill", "J. R.", "Nguyễn Thị", "महेश", "a".repeat(60), "Dr. Maria Del Pilar"],
  ...["Sammy Davis Jr.", "Eva Maria St. John"],
])("an applicant called '%s' is greeted by name", (name) => {
  expect(greeting(name)).toBe(`Hello ${name},`);
});

test.each([
  ...["", "win.example", "https://win.example", "you have won! Call 1900 000 000", "a".repeat(61)],
  ...["Your loan was refused. Call now", "Refused. Call us", "Loan refused.", "Your loan was refused today"],
  ...["Ada\nCall us now", "Ada\r\nBcc someone", "Ada\u2028Call us", "Ada\u0085Call us", "Ada Lovelace\n", "www.win.co"],
  ...["win。example", "Ada, call now", "Your-loan-was-refused-call"],
])("an applicant called '%s' is greeted without a name", (name) => {
  expect(greeting(name)).toBe("Hello,");
});

test.each(samples)("%s is short enough for every mail server, loads nothing, and closes every tag", (_, email) => {
  expect(Buffer.byteLength(email.html)).toBeLessThan(20_000);
  expect(email.subject.length).toBeLessThanOrEqual(78);
  expect(email.html).not.toMatch(/<(img|script|link|iframe|svg)\b|url\(|@import|@font-face|srcset/);
  const open: string[] = [];
  for (const [, slash, name = ""] of email.html.replace(/<!.*?>/g, "").matchAll(/<(\/?)(\w+)/g)) {
    if (slash) expect(open.pop()).toBe(name);
    else if (!["meta", "br"].includes(name)) open.push(name);
  }
  expect(open).toEqual([]);
});

test("an email has the product's colours", () => {
  const css = readFileSync("app/globals.css", "utf8");
  for (const colour of Object.values(light)) expect(css).toContain(colour);
});

test("times are those of the lender's zone", () => {
  expect(textOf("confirmation")).toContain("Received: 21 November 2026 at 11:30 am AEDT");
  expect(textOf("invitation")).toContain("It works until 21 December 2026 at 3:00 pm AEDT.");
});

test.each(["confirmation", "status"] as const)("a %s email without a link says how to open the receipt", (kind) => {
  expect(textOf(kind)).toContain(`Open your application:\n${everyValue.link}\n`);
  expect(textOf(kind, { link: undefined })).toContain("open the link you used to apply");
});

const update = "Update on your application K7QM-4XRT";
test.each([
  ["in-review", "Status: In review", update],
  ["approved", "Good news", "Approved: your application K7QM-4XRT"],
  ["declined", "Ask us why", update],
] as const)(
  "the status '%s' is in the body of the email, and in its subject only if it is an approval",
  (status, sentence, subject) => {
    const email = emails.status?.render({ ...everyValue, status }, brand);
    expect(email?.text).toContain(sentence);
    expect(email?.subject).toBe(subject);
  },
);

test("the proof is the last thing in a confirmation", () => {
  const note = "Please keep this email. The code below proves what you submitted, and when.";
  const { text = "", html = "" } = emails.confirmation?.render(everyValue, brand) ?? {};
  expect(text.slice(text.indexOf(note))).toBe(`${note}\n${JSON.stringify(everyValue.evidence)}\n`);
  const afterProof = html.slice(html.indexOf("{&#34;leaf"));
  expect(html.indexOf(note)).toBeGreaterThan(html.indexOf(brand.legalName, html.indexOf("Questions?")));
  expect(
    afterProof
      .replace(/<[^>]*>/g, "")
      .replaceAll("&#34;", '"')
      .trim(),
  ).toBe(JSON.stringify(everyValue.evidence));
});

test.each([
  ["2 working days", "Most applications are processed within 2 working days."],
  ["", "We're now reviewing your details."],
])("a confirmation promises the lender's own processing time, here '%s'", (processingTime, sentence) => {
  const { text = "" } =
    emails.confirmation?.render({ ...everyValue, status: "submitted" }, { ...brand, processingTime }) ?? {};
  expect(text).toContain(`${sentence}\n`);
  expect(text).not.toContain("24 h");
});

test("a declined landlord reads whom to contact and no advertising", () => {
  const { text = "", html = "" } = emails.status?.render({ ...everyValue, status: "declined" }, brand) ?? {};
  for (const body of [text, html]) {
    expect(body).toContain(brand.supportPhone);
    expect(body).toContain(brand.supportEmail);
    expect(body).not.toMatch(/up to|fast access|tax deductible|no impact|pre-approv|get started|apply now/i);
  }
});

test("next steps are numbered, and what a declined landlord can do is not", () => {
  const approved = emails.status?.render({ ...everyValue, status: "approved" }, brand);
  expect([approved?.text, approved?.html]).toEqual([
    expect.stringContaining("\n1. You review"),
    expect.stringContaining("<ol "),
  ]);
  const declined = emails.status?.render({ ...everyValue, status: "declined" }, brand);
  expect([declined?.text, declined?.html]).toEqual([
    expect.stringContaining("\n- Ask us why"),
    expect.not.stringContaining("<ol "),
  ]);
});

test("emails to staff and agents contain no name", () => {
  for (const kind of ["staff-notice", "agent-notice"] as const)
    expect(JSON.stringify(emails[kind]?.render(everyValue, brand))).not.toContain("Ada");
});

test("an SMS names the opt-out page if its address fits, and otherwise the number to call", () => {
  const { invitation } = smsTexts;
  expect(invitation?.render(everyValue, brand)).toContain(`Stop: ${everyValue.stop}`);
  const long = { ...brand, legalName: "Northern Rivers and Tablelands Landlord Lending Pty Ltd" };
  expect(invitation?.render(everyValue, long)).toMatch(/to stop: call 1800 000 000$/);
});

test("an SMS to a mobile abroad leaves out the email address if it does not fit", () => {
  const link = `${everyValue.link}${"x".repeat(70)}`;
  const sent = smsTo("6421234567", freshLinkSms, { ...everyValue, link }, brand);
  expect(sent).toBe(freshLinkSms.render({ ...everyValue, link }, brand));
  expect(smsTo("6421234567", freshLinkSms, everyValue, brand)).toContain(brand.supportEmail);
});

test("the email with the head of the evidence log says with what the line to save begins", () => {
  const { text = "" } = emails["evidence-head"]?.render(everyValue, brand) ?? {};
  const [, beginning = ""] = /Save the line that begins with (\S+) /.exec(text) ?? [];
  const lines = text.split("\n").filter((line) => line.startsWith(beginning));
  expect(lines).toEqual([JSON.stringify(everyValue.evidence)]);
});

test("a preview shows an SMS in the characters in which it is sent", async () => {
  const env = { BRAND_LEGAL_NAME: "Landlords’ Lending Pty Ltd" };
  const { out } = await callCommand("messages", ["preview", "invitation"], env);
  expect(out.split("SMS: ")[1]).toContain("Landlords' Lending");
});
