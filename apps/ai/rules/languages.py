"""The language of a text, where it is clearly one of the seven that the widget speaks."""

import re
import unicodedata
from collections import Counter

from apps.core.parsing.normal_forms import normalize

LANGUAGES = ("ru", "en", "el", "de", "es", "ar", "zh")
"""The languages of the product, in the order of its documents."""

# A text is read as far as this: its language shows in its beginning.
MAX_READ = 2_000

# Letters that none of the seven has in a script that one of them writes: with one of them, it is another language.
_FOREIGN = frozenset(
    "іїєґўјљњћђџѓќѕәғқңөұүһѣӣӯҳҷ"  # Ukrainian, Belarusian, Serbian, Macedonian, Kazakh, Tatar, Mongolian, Tajik
    "پچژگکیےںہٹڈڑھېۍړښ"  # Persian, Urdu, Pashto
    "ãõçâêôàèìòùîûœæøåëïłąęćńśźżřěůčšžďťňőűășțşğıđƒơưạảấầẩẫậắằẳẵặẹẻẽếềểễệỉịọỏốồổỗộớờởỡợụủứừửữựỳỵỷỹ"
)
MANY_WORDS = 5
# Letters that only one of the seven has: those that no other language has, and those that speak for it beside its words
# (Turkish, Finnish and Swedish have umlauts, Czech and Portuguese accents, Belarusian ы, э and ё).
_OWN_LETTERS = {"de": "ß", "es": "ñ¿¡"}
_LETTERS = {"de": "äöü", "es": "áéíóú", "ru": "ыэё"}
_WORDS = {
    "en": (
        "a about an and any are at be but can cheap closed cost could delivery do does for from get good have "
        "hello hey hi hours how i if in is it me much my need no not of on open or order our please price prices "
        "refund return shipping size so stock thank thanks that the there this to want was we what when where "
        "which who why will with work would yes you your"
    ),
    "de": (
        "aber als am an auch auf aus bei bestellung bitte danke das dass dem den der die ein eine einen er es für "
        "geht gibt guten haben habe hallo hat ich ihr ihre im in ist ja kann kein kosten kostet können lieferung "
        "man mein meine mich mir mit möchte nach nein nicht noch oder preis sie sind und uns versand viel von "
        "wann war warum was wie wir wo zu zum zur über"
    ),
    "es": (
        "a al algo buenas buenos como con cuando cuánto cuanto cuesta de del dias donde dónde el ella en entrega "
        "envío envio es esta este gracias hay hola horario la las le lo los me mi muy necesito no nos o para "
        "pedido pero por porque precio puede puedo qué que quiero se si sin son su tiene tienen tengo un una "
        "usted y ya yo"
    ),
    "ru": (
        "а без в вам вас вы где да для до доставка доставку доставки его ее есть ещё еще заказ здравствуйте и из "
        "или их как какая какие какой когда кто ли меня мне можно мой на нам нас не нет но нужен нужна нужно о об "
        "он она они от по пожалуйста почему почём привет при с скажите сколько спасибо стоит стоимость та так там "
        "то тоже только ты у у-нас уже хочу цена цены что это я"
    ),
}
# What is none of the seven, by its function words: each word speaks against all of them.
_OTHERS = (
    # French, Italian, Portuguese, Dutch
    "bonjour salut combien coûte coute est-ce vous nous je j'ai merci livraison pour avec sont dans où quel "
    "quelle des les une prix ciao buongiorno quanto costa consegna per che sono avete grazie dove il gli della di "
    "come posso prezzo olá ola quanto custa entrega vocês você obrigado não tem uma onde fica preço bom dia meu "
    "minha seu sua são é hoeveel het een bezorging is wat waar jullie hebben dank goedemorgen kunt kan ik mijn "
    "prijs bestelling "
    # Polish, Czech, Slovak, Romanian, Hungarian, Croatian
    "ile kosztuje dostawa czy jest macie dzień dobry dziękuję gdzie kiedy proszę cena jak jaka kolik stojí "
    "doprava máte děkuji kde kdy je dobrý den koľko ďakujem cât cat costă costa livrarea aveți buna ziua "
    "mulțumesc unde când este mennyibe kerül szállítás van köszönöm hol mikor koliko košta kosta dostava imate "
    "hvala gdje kada dobar dan "
    # Swedish, Danish, Norwegian, Finnish, Estonian, Latvian, Lithuanian
    "vad kostar leverans har ni min mitt din vår är beställning hej tack när hur mycket jag kan det och hvad "
    "koster levering hvor hvornår jeg tak hva når takk paljonko toimitus maksaa onko teillä hei kiitos missä "
    "milloin kui palju maksab tarne tere aitäh cik maksā piegāde paldies kur kiek kainuoja pristatymas ačiū "
    # Turkish, Indonesian, Vietnamese, Swahili, Tagalog, Uzbek
    "ne kadar fiyat fiyatı teslimat var mı merhaba teşekkürler nerede nasıl bir ve için berapa harga pengiriman "
    "apakah ada terima kasih halo di mana saya yang bao nhiêu giao hàng xin chào cảm ơn bei gani habari asante "
    "magkano ang salamat narxi qancha yetkazib bormi rahmat "
    # Bulgarian, Macedonian, Serbian in Cyrillic; Kyrgyz, Uzbek; Ukrainian, Belarusian
    "колко струва доставката имате ли къде кога какво здравейте благодаря моля искам мога дали със също тази това "
    "колку чини имате достава каде кога благодарам здраво колико кошта достава имате где када хвала канча турат "
    "жеткируу барбы рахмат нарх етказиб борми скільки коштує чи де коли дякую є як кошт колькі каштуе дзе калі "
    # Swiss, Catalan
    "quant costa teniu on quan gràcies bon dia"
)
_KNOWN = {language: frozenset(words.split()) for language, words in _WORDS.items()}
# A word that one of the seven has as well says nothing.
_ALIEN = frozenset(_OTHERS.split()) - frozenset(word for words in _KNOWN.values() for word in words)
# Scripts that only one of the seven uses, by how their letters are named in Unicode.
_SCRIPTS = {"GREEK": "el", "ARABIC": "ar", "CJK": "zh"}
_JAPANESE = frozenset({"HIRAGANA", "KATAKANA"})
_LETTER_RUN = re.compile(r"[^\W\d_]+")


def language_of(text: str) -> str | None:
    """The code of the language, None where nothing tells it, or where it may be another than the seven.

    Greek script is Greek, Arabic Arabic, Han Chinese, unless letters of another language of the script (Persian,
    Japanese …) are there: the script with most letters decides. Cyrillic is Russian, and Latin English, German or
    Spanish, by function words and by letters that only one of them has, unless more speaks for another language.
    """
    text = normalize("NFC", text[:MAX_READ]).lower()  # in small letters alone: folded, ß is ss
    scripts = Counter(_script_of(letter) for letter in text if letter.isalpha())
    if not scripts or (scripts.keys() & _JAPANESE and scripts.keys() & {"CJK", *_JAPANESE}):
        return None
    script, _ = scripts.most_common(1)[0]
    letters = [letter for letter in text if letter in _FOREIGN and _script_of(letter) == script]
    if script in _SCRIPTS:
        return None if letters else _SCRIPTS[script]
    if script not in ("LATIN", "CYRILLIC"):
        return None
    return _by_words(
        text, _LETTER_RUN.findall(text), len(letters), ("ru",) if script == "CYRILLIC" else ("en", "de", "es")
    )


def _script_of(letter: str) -> str:
    return unicodedata.name(letter, "").partition(" ")[0]


def _by_words(text: str, words: list[str], foreign: int, languages: tuple[str, ...]) -> str | None:
    points = Counter({language: sum(word in _KNOWN[language] for word in words) for language in languages})
    for language in languages:
        beside = 0 if foreign else sum(text.count(letter) for letter in _LETTERS.get(language, ""))
        points[language] += 2 * min(beside, points[language])
        points[language] += 2 * sum(text.count(letter) for letter in _OWN_LETTERS.get(language, ""))
    against = 2 * foreign + 3 * sum(word in _ALIEN for word in words)
    best, most = points.most_common(1)[0]
    tied = sum(each == most for each in points.values()) > 1
    if languages == ("ru",) and not against:
        return "ru"  # a word of Russian letters alone, such as a name of goods
    # One short word in five is in many languages: German "ja" is Finnish, too.
    least = 2 if len(words) >= MANY_WORDS else 1
    return best if most >= least and most > against and not tied else None
