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
export const names: { language: string; name: string }[] = Object.entries(languages).flatMap(
  ([language, [first, family]]) =>
    first.split(" ").flatMap((one) => family.split(" ").map((other) => ({ language, name: `${one} ${other}` }))),
);
