"""Texts that the guard is tried with: what agents write, and what must not reach a customer.

The owner's links in all of them are OWNERS.
"""

from apps.support.rules.guard import Catalogue

OWNERS = Catalogue(
    hosts=("shop.example.com", "магазин.рф"),
    links=("https://pay.example.org/invoice?id=7",),
    app_store_id="123456789",
    play_package="com.example.shop",
    ipv4=("203.0.113.5",),
    handles=("shop_help",),
    emails=("info@shop.example.com",),
    customer_emails=("anna@mail.example",),
)

WORDS = """
Здравствуйте! Чем могу помочь?
Добрый день, Анна. Заказ № 10-245 уже в пути, курьер приедет завтра с 10:00 до 18:00.
Спасибо за ожидание, уточнила у склада: размер 38 есть, цвет — синий.
Возврат оформим за 3 дня; деньги придут на карту **** 4821.
Стоимость 1.200,50 руб., со скидкой 15 % — 1.020,43 руб.
Версия приложения 1.2.3.4.5, сборка 2024.11.
Позвоните нам: +7 (495) 000-00-00, доб. 12.
Пишите в любое время :) Мы рядом <3
Отправьте, пожалуйста, файл отчёт.pdf или фото.jpg.
Это т.е. и т.д., ул. Ленина, д. 5, кв. 7.
Понял Вас.Сейчас проверю.
Секунду… уже смотрю...
Вес 2,5 кг; габариты 30x40x50 см.
Артикул AB-12/34.56
5 > 3 и 2 < 4
Нажмите «Оформить» / «Оплатить».
Команда /start запускает бота.
и/или, да//нет
Температура −5…+10 °C, влажность ~60%
100%, 50%50, 25 %
Ваш код не нужен никому, не сообщайте его.
Ждём Вас в отеле: номер 5, этаж 2
цена:500, срок:3дня
Первое: проверьте питание. Второе: нажмите «Вкл.».
[важно] Прочтите до конца (пожалуйста).
{не json}
Вопрос: «Где заказ?» Ответ: «Едет».
ёЁйЙ — буквы на месте
🎉 Поздравляем с покупкой! 🎉
👍🏽 Сделано
👨‍👩‍👧 семейный тариф подключён
❤️ Спасибо!
№ 5 & № 6
М.В. Ломоносов
А.С.Пушкин
Hello! How can I help you today?
Your order #10245 ships on Monday, between 9:30 and 17:45.
I'm sorry to hear that. Let me look into it, e.g. the size and the colour.
The refund of $12.50 (or €11.90) takes 3-5 days.
Please send us report.pdf or photo.jpeg.
Version 10.15.7.1.2 is supported.
Use Ctrl+C, then Ctrl+V.
It's 5 < 6, and 7 > 6.
Tom & Jerry; salt & pepper
Either and/or both; see p. 5, i.e. the next one
See "Settings" > "Account"
Wait... what? No way!!! Really?!
one@two
a @ b
price @ 5
me @ home
call me at 555 0100
What: a box. Why: it fits.
key=value; other_key=other value
snake_case and kebab-case
C++ and F#
50/50 or 3/4
TCP/IP
file name with spaces .txt
example . com
no links here , at all .
localhost
[1] first, [2] second
(see above)
{curly} words
* one
- two
— three
1. First
2. Second
first line
Bonjour, ça va ? Très bien, merci !
¿Cómo está? ¡Muy bien, gracias!
Grüß Gott, schöne Größe
Γειά σας, πώς μπορώ να βοηθήσω;
مرحبا، كيف يمكنني مساعدتك؟
您好,请问有什么可以帮您?
価格は千円です
Merhaba, size nasıl yardımcı olabilirim?
שלום וברכה
नमस्ते, मैं कैसे मदद कर सकता हूँ?
Дзякуй, усё добра
Дякую, все гаразд
🙂
?
1
1.5
192.168.1
1.2.3
300.1.2.3
1.2.3.256
12.5.2024
12.05.24
10.30
user@host
/help
/order_status
@ab
@
""".strip().splitlines()

OFFICIAL = """
Всё здесь: https://shop.example.com/orders
https://shop.example.com
https://shop.example.com/
shop.example.com
Shop.Example.Com
SHOP.EXAMPLE.COM/ORDERS
HTTPS://shop.example.com/a
(https://shop.example.com/a)
«https://shop.example.com/a»
Смотрите https://shop.example.com/a, там всё есть.
Смотрите https://shop.example.com/a/b-c_d.html?x=1&y=%20#top!
https://shop.example.com/docs/readme.md
https://shop.example.com/?utm_source=chat
https://shop.example.com/каталог/шляпы
https://магазин.рф/акции
магазин.рф
Магазин.РФ
xn--80aairftm.xn--p1ai
https://pay.example.org/invoice?id=7
pay.example.org/invoice?id=7
apps.apple.com/app/id123456789
https://apps.apple.com/ru/app/id123456789
https://apps.apple.com/us/app/our-shop/id123456789
play.google.com/store/apps/details?id=com.example.shop
https://play.google.com/store/apps/details?id=com.example.shop&hl=ru
https://play.google.com/store/apps/details?id=com.example.shop&hl=en_US&gl=US
203.0.113.5
Адрес: 203.0.113.5.
t.me/shop_help
https://t.me/shop_help
https://t.me/Shop_Help
@shop_help
@SHOP_HELP
Пишите @shop_help, ответим.
info@shop.example.com
Пишите на info@shop.example.com.
INFO@shop.example.com
anna@mail.example
Мы ответили на Anna@Mail.Example!
shop.example.com и info@shop.example.com, @shop_help
""".strip().splitlines()

_SCHEMES = (
    *("mailto", "tel", "sms", "javascript", "vbscript", "data", "tg", "ton", "magnet", "skype", "viber", "whatsapp"),
    *(
        "callto",
        "facetime",
        "geo",
        "bitcoin",
        "market",
        "itms-apps",
        "intent",
        "blob",
        "about",
        "file",
        "http",
        "https",
    ),
    "ftp",
)

# text: the kind and the view of its first link
LINKS: dict[str, tuple[str, str]] = {
    **{f"{scheme}:x1": ("url", "text") for scheme in _SCHEMES},
    **{f"см. {scheme.upper()}:x1": ("url", "text") for scheme in _SCHEMES},
    **{
        f"{scheme}://evil": ("url", "text") for scheme in ("ssh", "ws", "gopher", "chrome", "x-app", "slack", "zoommtg")
    },
    "http://shop.example.com": ("url", "text"),
    "https://shop.example.com:8443/": ("url", "text"),
    "https://user@shop.example.com/": ("url", "text"),
    "https://user:pass@shop.example.com/": ("url", "text"),
    "https://shop.example.com.evil.com/": ("url", "text"),
    "https://shop.example.com@evil.com/": ("url", "text"),
    "https://shop.example.com\\@evil.com": ("url", "text"),
    "https:\\\\shop.example.com": ("url", "text"),
    "https://shop.example.com?x=1": ("url", "text"),
    "https://shop.example.com#x": ("url", "text"),
    "https://sub.shop.example.com/": ("url", "text"),
    "https://example.com/": ("url", "text"),
    "https://shop.example.com./": ("url", "text"),
    "https://pay.example.org/invoice?id=8": ("url", "text"),
    "https://pay.example.org/invoice": ("url", "text"),
    "https://pay.example.org/invoice?id=7&x=1": ("url", "text"),
    "https://apps.apple.com/app/id12345678": ("url", "text"),
    "https://apps.apple.com/app/id1234567890": ("url", "text"),
    "https://apps.apple.com/app/id123456789?l=ru": ("url", "text"),
    "https://apps.apple.com/developer/id123456789": ("url", "text"),
    "https://play.google.com/store/apps/details?id=com.example.shop2": ("url", "text"),
    "https://play.google.com/store/apps/details?id=com.example.shop&referrer=x": ("url", "text"),
    "https://play.google.com/store/apps/dev?id=com.example.shop": ("url", "text"),
    "https://t.me/shop_help?start=1": ("url", "text"),
    "https://t.me/shop_help/5": ("url", "text"),
    "https://t.me/joinchat/abc": ("url", "text"),
    "https://shop.example.com/a??evil.com": ("url", "text"),
    "https://shop.example.com/a)evil.com": ("url", "text"),
    "//evil/x": ("url", "text"),
    "//localhost": ("url", "text"),
    "тестhttps://evil.com": ("url", "text"),
    "1https://evil": ("url", "text"),
    "t.me/shop_helper": ("domain", "text"),
    "t.me/+abc": ("domain", "text"),
    "telegram.me/shop_help": ("domain", "text"),
    "evil.com": ("domain", "text"),
    "EVIL.COM": ("domain", "text"),
    "evil.com.": ("domain", "text"),
    "(evil.com)": ("domain", "text"),
    "«evil.com»": ("domain", "text"),
    "evil.com:80": ("domain", "text"),
    "evil.com/a": ("domain", "text"),
    "evil.com?a": ("domain", "text"),
    "evil.com#a": ("domain", "text"),
    "evil.com\\a": ("domain", "text"),
    "-evil.com-": ("domain", "text"),
    "_evil.com_": ("domain", "text"),
    "e_v-il.com": ("domain", "text"),
    "a.b.c.d.co.uk": ("domain", "text"),
    "evil.museum": ("domain", "text"),
    "evil.xn--p1ai": ("domain", "text"),
    "evil.xn--unheard-of": ("domain", "text"),
    "яндекс.рф": ("domain", "text"),
    "evil.онлайн": ("domain", "text"),
    "г.Москва": ("domain", "text"),
    "пример.дети": ("domain", "text"),
    "例子.中国": ("domain", "text"),
    "उदाहरण.भारत": ("domain", "text"),
    "مثال.السعودية": ("domain", "text"),
    "readme.md": ("domain", "text"),
    "main.py": ("domain", "text"),
    "archive.zip": ("domain", "text"),
    "run.sh": ("domain", "text"),
    "video.mov": ("domain", "text"),
    "Привет.Com": ("domain", "text"),
    "привет,evil.com,пока": ("domain", "text"),
    "привет，evil.com": ("domain", "text"),
    "evil.com🎉": ("domain", "text"),
    "🎉evil.com": ("domain", "text"),
    "🎉shop.example.com": ("domain", "text"),
    "—shop.example.com": ("domain", "text"),
    "~shop.example.com": ("domain", "text"),
    "xshop.example.com": ("domain", "text"),
    "shop.example.com:443": ("domain", "text"),
    "shop.example.com?x": ("domain", "text"),
    "shop.example.com.": ("", ""),
    "sub.магазин.рф": ("domain", "text"),
    "ex\u0301ample.com": ("domain", "text"),
    "evil..com": ("domain", "text"),
    "evil.ck": ("domain", "text"),
    "onion.onion": ("domain", "text"),
    "www.evil": ("www", "text"),
    "WWW.EVIL": ("www", "text"),
    "www.shop.example.com": ("www", "text"),
    "www.нет": ("www", "text"),
    "203.0.113.6": ("ipv4", "text"),
    "8.8.8.8": ("ipv4", "text"),
    "008.8.8.8": ("ipv4", "text"),
    "0.0.0.0": ("ipv4", "text"),
    "255.255.255.255": ("ipv4", "text"),
    "203.0.113.5:80": ("ipv4", "text"),
    "203.0.113.5/x": ("ipv4", "text"),
    "203.000.113.005": ("ipv4", "text"),
    "https://203.0.113.5": ("url", "text"),
    "http://3232235777/": ("url", "text"),
    "http://[::1]/": ("url", "text"),
    "evil@evil.com": ("email", "text"),
    "EVIL@EVIL.COM": ("email", "text"),
    "evil@evil.invalid": ("email", "text"),
    "info@shop.example.co": ("email", "text"),
    "xinfo@shop.example.com": ("email", "text"),
    "x.info@shop.example.com": ("email", "text"),
    "info@shop.example.com.evil.com": ("email", "text"),
    "info+x@shop.example.com": ("email", "text"),
    "✉️info@shop.example.com": ("email", "text"),
    "info@shop.example.com/x": ("email", "text"),
    "info@shop.example.com?subject=x": ("email", "text"),
    "почта@почта.рф": ("email", "text"),
    "a@b.xx": ("email", "text"),
    "boris@mail.example": ("email", "text"),
    "/start@evil_bot": ("command", "text"),
    "/x@bot": ("command", "text"),
    "см. /x@shop_help": ("command", "text"),
    "@evil": ("handle", "text"),
    "@EVIL_bot": ("handle", "text"),
    "@shop_helper": ("handle", "text"),
    "@shop_help2": ("handle", "text"),
    "(@evil)": ("handle", "text"),
    "Пишите @evil!": ("handle", "text"),
    "@abc": ("handle", "text"),
    "ｅｖｉｌ．ｃｏｍ": ("domain", "folded"),
    "evil．com": ("domain", "folded"),
    "evil。com": ("domain", "folded"),
    "evil｡com": ("domain", "folded"),
    "evil․com": ("domain", "folded"),
    "ｅvil.com": ("domain", "text"),
    "evil.ｃｏｍ": ("domain", "folded"),
    "𝐞𝐯𝐢𝐥.𝐜𝐨𝐦": ("domain", "folded"),
    "ⓔⓥⓘⓛ.ⓒⓞⓜ": ("domain", "folded"),
    "evil.ℂom": ("domain", "folded"),
    "ｈｔｔｐｓ：／／evil": ("url", "folded"),
    "https：//evil": ("url", "text"),
    "https:／／evil": ("url", "text"),
    "ﬁle:x": ("url", "folded"),
    "ｔｅｌ:5": ("url", "folded"),
    "＠evil": ("handle", "folded"),
    "@ｅvil": ("handle", "folded"),
    "evil＠evil.com": ("domain", "text"),
    "evil＠evil．com": ("email", "folded"),
    "／x＠bot": ("command", "folded"),
    "８.８.８.８": ("ipv4", "text"),
    "٨.٨.٨.٨": ("ipv4", "text"),
    "८.८.८.८": ("ipv4", "text"),
    "8。8。8。8": ("ipv4", "folded"),
    "①.①.①.①": ("ipv4", "folded"),
    "shop。example。com": ("domain", "folded"),
    "ｓhop.example.com": ("domain", "text"),
    "203。0。113。5": ("ipv4", "folded"),
    "@shop＿help": ("handle", "text"),
    "evil%2ecom": ("domain", "decoded"),
    "evil%2Ecom": ("domain", "decoded"),
    "%65vil.%63om": ("domain", "decoded"),
    "evil%252ecom": ("domain", "decoded"),
    "evil%25252ecom": ("domain", "decoded"),
    "https%3A%2F%2Fevil": ("url", "decoded"),
    "%40evil": ("handle", "decoded"),
    "evil%E3%80%82com": ("domain", "decoded"),
    "shop%2Eexample%2Ecom": ("domain", "decoded"),
    "８％２ｅ8.8.8": ("ipv4", "decoded"),
    "evil\u200b.com": ("domain", "text"),
    "ev\u00adil.com": ("domain", "text"),
    "evil\u2060.\ufeffcom": ("domain", "text"),
    "@e\u200dvil": ("handle", "text"),
    "https:\u200b//evil": ("url", "text"),
    "evil\ufe0f.com": ("domain", "text"),
    "evil.com\ufe0f": ("domain", "folded"),
}
del LINKS["shop.example.com."]

# text: why it can't be an answer, whatever links it has
NOT_PLAIN: dict[str, str] = {
    "": "invalid_input",
    " ": "invalid_input",
    "\n\n": "invalid_input",
    "\u3000\u2003": "invalid_input",
    "\u200b\ufeff": "invalid_input",
    "а" * 3501: "invalid_input",
    "a\tb": "forbidden_whitespace",
    "a\fb": "forbidden_whitespace",
    "a\x85b": "forbidden_whitespace",
    "a\u2028b": "forbidden_whitespace",
    "a\u2029b": "forbidden_whitespace",
    "a\rb": "forbidden_characters",
    "a\r\nb": "forbidden_characters",
    "a\vb": "forbidden_characters",
    "a\x00b": "forbidden_characters",
    "a\x1bb": "forbidden_characters",
    "a\x7fb": "forbidden_characters",
    "a\u202eb": "forbidden_characters",
    "a\u2066b": "forbidden_characters",
    "a\u200eb": "forbidden_characters",
    "a\u061cb": "forbidden_characters",
    "a\ufff9b": "forbidden_characters",
    "a\U000e0041b": "forbidden_characters",
    "a\ue000b": "forbidden_characters",
    "a\ud800b": "forbidden_characters",
    "a\u115fb": "forbidden_characters",
    "a\u1160b": "forbidden_characters",
    "a\u3164b": "forbidden_characters",
    "a\uffa0b": "forbidden_characters",
    "a\u2800b": "forbidden_characters",
    "a\u17b4b": "forbidden_characters",
    "a\ufe00b": "forbidden_characters",
    "a\U000e0100b": "forbidden_characters",
    "a\u180bb": "forbidden_characters",
    '{"text": "hi"}': "text_not_plain",
    ' {"text": "hi"} ': "text_not_plain",
    "{}": "text_not_plain",
    "[]": "text_not_plain",
    "[1, 2]": "text_not_plain",
    "[" * 1750 + "]" * 1750: "text_not_plain",
    "<b>bold</b>": "text_not_plain",
    "a <br> b": "text_not_plain",
    "</p>": "text_not_plain",
    "<!-- x -->": "text_not_plain",
    "<?php": "text_not_plain",
    "Tom &amp; Jerry": "text_not_plain",
    "&#64;evil": "text_not_plain",
    "&#x40;evil": "text_not_plain",
    "[here](https://shop.example.com)": "text_not_plain",
    "[KEY_TO_OPERATOR]": "text_not_plain",
    "[ key_x": "text_not_plain",
    "[K E Y _X]": "text_not_plain",
    "［ＫＥＹ＿X]": "text_not_plain",
    "[K\u200bEY_X]": "text_not_plain",
}
