"""Letters in the shapes of mail programs, each with where its shape is documented and its writer's own words."""

from typing import NamedTuple


class Recorded(NamedTuple):
    file: str
    source: str
    text: str


RECORDED = (
    Recorded(
        "apple_mail_de",
        "Apple Mail: talon standard_replies/apple_mail.eml",
        "Ja, bitte zwei Stück.\n\nKann ich sie am Freitag abholen?",
    ),
    Recorded(
        "apple_mail_en",
        "Apple Mail: talon standard_replies/apple_mail.eml",
        "Yes, please. Two of them.\n\nCan I pick them up on Friday?",
    ),
    Recorded(
        "apple_mail_ru",
        "Apple Mail: talon standard_replies/apple_mail.eml",
        "Да, беру две штуки.\n\nМожно забрать в пятницу?",
    ),
    Recorded(
        "below_ru",
        "An answer below the quoted lines",
        "> 20.11.2026 10:11, Flowers пишет:\n> Есть и в синем цвете.\n\nДа, беру.",
    ),
    Recorded(
        "forward_en",
        "A letter passed on: its text is what it is about",
        "Please see below.\n\n---------- Forwarded message ---------\nFrom: Bank <bank@example.net>\nDate: Fri, Nov 20, 2026 at 9:00 AM\nSubject: Payment\nTo: <mary@example.org>\n\nYour payment is on hold.",
    ),
    Recorded("gmail_android_ru", "Gmail for Android", "Спасибо, жду!"),
    Recorded(
        "gmail_ar",
        "Gmail web: talon tests/fixtures/standard_replies, gmail_quote_container since 2024",
        "نعم، اثنان من فضلك.\n\nهل يمكنني استلامها يوم الجمعة؟",
    ),
    Recorded(
        "gmail_de",
        "Gmail web: talon tests/fixtures/standard_replies, gmail_quote_container since 2024",
        "Ja, bitte zwei Stück.\n\nKann ich sie am Freitag abholen?",
    ),
    Recorded(
        "gmail_el",
        "Gmail web: talon tests/fixtures/standard_replies, gmail_quote_container since 2024",
        "Ναι, δύο παρακαλώ.\n\nΜπορώ να τα πάρω την Παρασκευή;",
    ),
    Recorded(
        "gmail_en",
        "Gmail web: talon tests/fixtures/standard_replies, gmail_quote_container since 2024",
        "Yes, please. Two of them.\n\nCan I pick them up on Friday?",
    ),
    Recorded(
        "gmail_es",
        "Gmail web: talon tests/fixtures/standard_replies, gmail_quote_container since 2024",
        "Sí, dos por favor.\n\n¿Puedo recogerlas el viernes?",
    ),
    Recorded("gmail_plain_ar", "Gmail in plain-text mode", "نعم، اثنان من فضلك.\n\nهل يمكنني استلامها يوم الجمعة؟"),
    Recorded("gmail_plain_de", "Gmail in plain-text mode", "Ja, bitte zwei Stück.\n\nKann ich sie am Freitag abholen?"),
    Recorded("gmail_plain_el", "Gmail in plain-text mode", "Ναι, δύο παρακαλώ.\n\nΜπορώ να τα πάρω την Παρασκευή;"),
    Recorded(
        "gmail_plain_en", "Gmail in plain-text mode", "Yes, please. Two of them.\n\nCan I pick them up on Friday?"
    ),
    Recorded("gmail_plain_es", "Gmail in plain-text mode", "Sí, dos por favor.\n\n¿Puedo recogerlas el viernes?"),
    Recorded("gmail_plain_ru", "Gmail in plain-text mode", "Да, беру две штуки.\n\nМожно забрать в пятницу?"),
    Recorded("gmail_plain_zh", "Gmail in plain-text mode", "好的，请给我两个。\n\n我可以星期五来取吗？"),
    Recorded(
        "gmail_ru",
        "Gmail web: talon tests/fixtures/standard_replies, gmail_quote_container since 2024",
        "Да, беру две штуки.\n\nМожно забрать в пятницу?",
    ),
    Recorded(
        "gmail_zh",
        "Gmail web: talon tests/fixtures/standard_replies, gmail_quote_container since 2024",
        "好的，请给我两个。\n\n我可以星期五来取吗？",
    ),
    Recorded("gmx_de", "GMX and Web.de: div name=quote", "Ja, bitte zwei Stück.\n\nKann ich sie am Freitag abholen?"),
    Recorded("gmx_en", "GMX and Web.de: div name=quote", "Yes, please. Two of them.\n\nCan I pick them up on Friday?"),
    Recorded(
        "gmx_plain_de",
        "GMX and Web.de in plain text: header block that begins with Sent",
        "Ja, bitte zwei Stück.\n\nKann ich sie am Freitag abholen?",
    ),
    Recorded(
        "gmx_plain_en",
        "GMX and Web.de in plain text: header block that begins with Sent",
        "Yes, please. Two of them.\n\nCan I pick them up on Friday?",
    ),
    Recorded(
        "interleaved_en",
        "Answers between the quoted lines",
        "> We have it in blue, too.\nGood, two of them.\n> Shall we send them?\nNo, I fetch them.",
    ),
    Recorded(
        "iphone_ar",
        "iPhone Mail: talon standard_replies/iphone.eml, blockquote type=cite",
        "نعم، اثنان من فضلك.\n\nهل يمكنني استلامها يوم الجمعة؟",
    ),
    Recorded(
        "iphone_de",
        "iPhone Mail: talon standard_replies/iphone.eml, blockquote type=cite",
        "Ja, bitte zwei Stück.\n\nKann ich sie am Freitag abholen?",
    ),
    Recorded(
        "iphone_el",
        "iPhone Mail: talon standard_replies/iphone.eml, blockquote type=cite",
        "Ναι, δύο παρακαλώ.\n\nΜπορώ να τα πάρω την Παρασκευή;",
    ),
    Recorded(
        "iphone_en",
        "iPhone Mail: talon standard_replies/iphone.eml, blockquote type=cite",
        "Yes, please. Two of them.\n\nCan I pick them up on Friday?",
    ),
    Recorded(
        "iphone_es",
        "iPhone Mail: talon standard_replies/iphone.eml, blockquote type=cite",
        "Sí, dos por favor.\n\n¿Puedo recogerlas el viernes?",
    ),
    Recorded(
        "iphone_ru",
        "iPhone Mail: talon standard_replies/iphone.eml, blockquote type=cite",
        "Да, беру две штуки.\n\nМожно забрать в пятницу?",
    ),
    Recorded(
        "iphone_zh",
        "iPhone Mail: talon standard_replies/iphone.eml, blockquote type=cite",
        "好的，请给我两个。\n\n我可以星期五来取吗？",
    ),
    Recorded(
        "mailru_app_ru", "Mail.ru for phones: mail-app-auto-quote", "Да, беру две штуки.\n\nМожно забрать в пятницу?"
    ),
    Recorded(
        "mailru_bare_en", "Mail.ru, quoted without signs", "Yes, please. Two of them.\n\nCan I pick them up on Friday?"
    ),
    Recorded("mailru_bare_ru", "Mail.ru, quoted without signs", "Да, беру две штуки.\n\nМожно забрать в пятницу?"),
    Recorded(
        "mailru_en",
        "Mail.ru web: talon html_replies/mail_ru.html, mail-quote-collapse",
        "Yes, please. Two of them.\n\nCan I pick them up on Friday?",
    ),
    Recorded(
        "mailru_old_ru",
        "Mail.ru of 2014: talon html_replies/mail_ru.html",
        "Да, беру две штуки.\n\nМожно забрать в пятницу?",
    ),
    Recorded(
        "mailru_plain_en",
        "Mail.ru, plain part: intro within the quoted lines",
        "Yes, please. Two of them.\n\nCan I pick them up on Friday?\n\nBest regards,\nMary Poppins",
    ),
    Recorded(
        "mailru_plain_ru",
        "Mail.ru, plain part: intro within the quoted lines",
        "Да, беру две штуки.\n\nМожно забрать в пятницу?\n\nС уважением,\nМэри Поппинс",
    ),
    Recorded(
        "mailru_ru",
        "Mail.ru web: talon html_replies/mail_ru.html, mail-quote-collapse",
        "Да, беру две штуки.\n\nМожно забрать в пятницу?",
    ),
    Recorded(
        "outlook_ar",
        "Outlook desktop (Word), border-top:solid header block",
        "نعم، اثنان من فضلك.\n\nهل يمكنني استلامها يوم الجمعة؟",
    ),
    Recorded(
        "outlook_de",
        "Outlook desktop (Word), border-top:solid header block",
        "Ja, bitte zwei Stück.\n\nKann ich sie am Freitag abholen?",
    ),
    Recorded(
        "outlook_el",
        "Outlook desktop (Word), border-top:solid header block",
        "Ναι, δύο παρακαλώ.\n\nΜπορώ να τα πάρω την Παρασκευή;",
    ),
    Recorded(
        "outlook_en",
        "Outlook desktop (Word), border-top:solid header block",
        "Yes, please. Two of them.\n\nCan I pick them up on Friday?",
    ),
    Recorded(
        "outlook_es",
        "Outlook desktop (Word), border-top:solid header block",
        "Sí, dos por favor.\n\n¿Puedo recogerlas el viernes?",
    ),
    Recorded(
        "outlook_mobile_de",
        "Outlook for iOS and Android: mail-editor-reference-message-container",
        "Ja, bitte zwei Stück.\n\nKann ich sie am Freitag abholen?",
    ),
    Recorded(
        "outlook_mobile_en",
        "Outlook for iOS and Android: mail-editor-reference-message-container",
        "Yes, please. Two of them.\n\nCan I pick them up on Friday?",
    ),
    Recorded(
        "outlook_mobile_ru",
        "Outlook for iOS and Android: mail-editor-reference-message-container",
        "Да, беру две штуки.\n\nМожно забрать в пятницу?",
    ),
    Recorded(
        "outlook_plain_ar",
        "Outlook in plain text: header block",
        "نعم، اثنان من فضلك.\n\nهل يمكنني استلامها يوم الجمعة؟",
    ),
    Recorded(
        "outlook_plain_de",
        "Outlook in plain text: header block",
        "Ja, bitte zwei Stück.\n\nKann ich sie am Freitag abholen?",
    ),
    Recorded(
        "outlook_plain_el",
        "Outlook in plain text: header block",
        "Ναι, δύο παρακαλώ.\n\nΜπορώ να τα πάρω την Παρασκευή;",
    ),
    Recorded(
        "outlook_plain_en",
        "Outlook in plain text: header block",
        "Yes, please. Two of them.\n\nCan I pick them up on Friday?",
    ),
    Recorded(
        "outlook_plain_es", "Outlook in plain text: header block", "Sí, dos por favor.\n\n¿Puedo recogerlas el viernes?"
    ),
    Recorded(
        "outlook_plain_ru", "Outlook in plain text: header block", "Да, беру две штуки.\n\nМожно забрать в пятницу?"
    ),
    Recorded("outlook_plain_zh", "Outlook in plain text: header block", "好的，请给我两个。\n\n我可以星期五来取吗？"),
    Recorded(
        "outlook_ru",
        "Outlook desktop (Word), border-top:solid header block",
        "Да, беру две штуки.\n\nМожно забрать в пятницу?",
    ),
    Recorded(
        "outlook_web_de",
        "Outlook on the web: divRplyFwdMsg (lore.kernel.org letters)",
        "Ja, bitte zwei Stück.\n\nKann ich sie am Freitag abholen?",
    ),
    Recorded(
        "outlook_web_en",
        "Outlook on the web: divRplyFwdMsg (lore.kernel.org letters)",
        "Yes, please. Two of them.\n\nCan I pick them up on Friday?",
    ),
    Recorded(
        "outlook_web_plain_de",
        "Outlook on the web, plain part",
        "Ja, bitte zwei Stück.\n\nKann ich sie am Freitag abholen?",
    ),
    Recorded(
        "outlook_web_plain_en",
        "Outlook on the web, plain part",
        "Yes, please. Two of them.\n\nCan I pick them up on Friday?",
    ),
    Recorded(
        "outlook_web_plain_ru", "Outlook on the web, plain part", "Да, беру две штуки.\n\nМожно забрать в пятницу?"
    ),
    Recorded(
        "outlook_web_ru",
        "Outlook on the web: divRplyFwdMsg (lore.kernel.org letters)",
        "Да, беру две штуки.\n\nМожно забрать в пятницу?",
    ),
    Recorded(
        "outlook_zh",
        "Outlook desktop (Word), border-top:solid header block",
        "好的，请给我两个。\n\n我可以星期五来取吗？",
    ),
    Recorded(
        "proton_en",
        "Proton Mail: protonmail_quote (ProtonMail/WebClients messageBlockquote tests)",
        "Yes, please. Two of them.\n\nCan I pick them up on Friday?",
    ),
    Recorded("qq_zh", "QQ Mail: 原始邮件", "好的，谢谢。"),
    Recorded("quote_only_en", "Nothing but a quotation", "> We have it in blue, too."),
    Recorded("samsung_de", "Samsung Mail: original message rule", "Ja, gerne."),
    Recorded("samsung_en", "Samsung Mail, English", "Yes please."),
    Recorded(
        "setoff_ru",
        "A blockquote that sets off the writer's own text",
        "Прошу рассчитать по КМД от 12.09.2026:\n\nограждение 12 м;\nкалитка 1 шт.\n\nСпасибо, Иван",
    ),
    Recorded("signature_en", "A signature by its delimiter (RFC 3676)", "Is it in stock?"),
    Recorded("thebat_ru", "The Bat!: initials before the signs", "Да, беру две штуки.\n\nМожно забрать в пятницу?"),
    Recorded(
        "thunderbird_de",
        "Thunderbird in plain text, format=flowed: talon standard_replies/thunderbird.eml",
        "Ja, bitte zwei Stück.\n\nKann ich sie am Freitag abholen?",
    ),
    Recorded(
        "thunderbird_el",
        "Thunderbird in plain text, format=flowed: talon standard_replies/thunderbird.eml",
        "Ναι, δύο παρακαλώ.\n\nΜπορώ να τα πάρω την Παρασκευή;",
    ),
    Recorded(
        "thunderbird_en",
        "Thunderbird in plain text, format=flowed: talon standard_replies/thunderbird.eml",
        "Yes, please. Two of them.\n\nCan I pick them up on Friday?",
    ),
    Recorded(
        "thunderbird_es",
        "Thunderbird in plain text, format=flowed: talon standard_replies/thunderbird.eml",
        "Sí, dos por favor.\n\n¿Puedo recogerlas el viernes?",
    ),
    Recorded(
        "thunderbird_html_de",
        "Thunderbird: moz-cite-prefix",
        "Ja, bitte zwei Stück.\n\nKann ich sie am Freitag abholen?",
    ),
    Recorded(
        "thunderbird_html_en",
        "Thunderbird: moz-cite-prefix",
        "Yes, please. Two of them.\n\nCan I pick them up on Friday?",
    ),
    Recorded("thunderbird_html_ru", "Thunderbird: moz-cite-prefix", "Да, беру две штуки.\n\nМожно забрать в пятницу?"),
    Recorded(
        "thunderbird_ru",
        "Thunderbird in plain text, format=flowed: talon standard_replies/thunderbird.eml",
        "Да, беру две штуки.\n\nМожно забрать в пятницу?",
    ),
    Recorded("unicorn_unknown_charset", "An unknown charset: by frequency", "Добрый день, когда доставка?"),
    Recorded("yahoo_de", "Yahoo Mail web: yahoo_quoted", "Ja, bitte zwei Stück.\n\nKann ich sie am Freitag abholen?"),
    Recorded("yahoo_en", "Yahoo Mail web: yahoo_quoted", "Yes, please. Two of them.\n\nCan I pick them up on Friday?"),
    Recorded("yahoo_es", "Yahoo Mail web: yahoo_quoted", "Sí, dos por favor.\n\n¿Puedo recogerlas el viernes?"),
    Recorded(
        "yahoo_plain_de",
        "Yahoo Mail, plain part: indented, without signs",
        "Ja, bitte zwei Stück.\n\nKann ich sie am Freitag abholen?",
    ),
    Recorded(
        "yahoo_plain_en",
        "Yahoo Mail, plain part: indented, without signs",
        "Yes, please. Two of them.\n\nCan I pick them up on Friday?",
    ),
    Recorded(
        "yahoo_plain_es",
        "Yahoo Mail, plain part: indented, without signs",
        "Sí, dos por favor.\n\n¿Puedo recogerlas el viernes?",
    ),
    Recorded(
        "yahoo_plain_ru",
        "Yahoo Mail, plain part: indented, without signs",
        "Да, беру две штуки.\n\nМожно забрать в пятницу?",
    ),
    Recorded("yahoo_ru", "Yahoo Mail web: yahoo_quoted", "Да, беру две штуки.\n\nМожно забрать в пятницу?"),
    Recorded(
        "yandex_de",
        "Yandex Mail web: bare blockquote below its intro, HTML alone",
        "Ja, bitte zwei Stück.\n\nKann ich sie am Freitag abholen?",
    ),
    Recorded(
        "yandex_en",
        "Yandex Mail web: bare blockquote below its intro, HTML alone",
        "Yes, please. Two of them.\n\nCan I pick them up on Friday?",
    ),
    Recorded(
        "yandex_headers_ru",
        "Yandex Mail web with header lines over the intro",
        "Да, беру две штуки.\n\nМожно забрать в пятницу?",
    ),
    Recorded(
        "yandex_mobile_ru",
        "Yandex Mail for phones: header lines, no blockquote",
        "Да, беру две штуки.\n\nМожно забрать в пятницу?",
    ),
    Recorded("yandex_plain_ru", "Yandex Mail in plain text", "Да, беру две штуки.\n\nМожно забрать в пятницу?"),
    Recorded(
        "yandex_ru",
        "Yandex Mail web: bare blockquote below its intro, HTML alone",
        "Да, беру две штуки.\n\nМожно забрать в пятницу?",
    ),
)
