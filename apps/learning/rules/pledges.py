"""Prices, discounts and promises in a text, in the seven languages of `markers`. Pure.

A sentence that has one is a pledge, whether it gives or forbids: a "never" that goes turns one into the other.
Look-alike letters are for their caller to fold, in the text and in these words alike.
"""

import re
from collections.abc import Callable

_DISCOUNTS = (
    *("discount", "coupon", "voucher", "promo code", "promocode", "cashback", "for free", "free of charge"),
    *("free shipping", "free delivery", "free gift", "at no charge"),
    *("скидк", "скидок", "купон", "промокод", "бесплатн", "кешбэк", "кэшбэк", "в подарок", "даром", "уступ"),
    *("rabatt", "gutschein", "kostenlos", "kostenfrei", "gratis", "preisnachlass", "ermäßig"),
    *("descuento", "cupón", "rebaja", "gratuit", "έκπτωσ", "εκπτώσ", "κουπόνι", "δωρεάν"),
    *("خصم", "تخفيض", "مجان", "كوبون", "قسيمة", "折扣", "优惠", "打折", "免费", "包邮", "赠送"),
)
_PROMISES = (
    *("guarantee", "warrant", "promise", "refund", "money back", "compensat", "reimburs"),
    *("гарант", "обещ", "возврат денег", "вернем деньги", "вернём деньги", "возмест", "возмещ", "компенс"),
    *("garantie", "versprech", "versprich", "erstatt", "entschädig", "geld zurück"),
    *("garantiz", "garantía", "promet", "reembols", "devolución", "devolvemos", "indemniz"),
    *("εγγύησ", "εγγυήσ", "εγγυό", "εγγυώ", "υπόσχ", "υποσχ", "επιστροφή χρημάτων", "αποζημί"),
    *("ضمان", "نضمن", "وعد", "استرداد", "تعويض", "保证", "承诺", "退款", "赔偿", "包退"),
)
_CURRENCIES = (
    *("rouble", "ruble", "rub", "руб", "р", "dollar", "доллар", "usd", "euro", "евро", "eur", "ευρώ", "pound", "gbp"),
    *("peso", "cny", "yuan", "юан", "тенге", "гривн", "دولار", "ريال", "درهم", "جنيه", "يورو", "روبل"),
    *("元", "块", "人民币", "欧元", "美元", "卢布", "percent", "per cent", "процент", "prozent", "por ciento"),
    *("τοις εκατό", "بالمئة", "في المئة"),
)
_PRICES = (
    *("price", "cost", "цен", "стои", "preis", "koste", "precio", "cuesta", "τιμή", "κοστίζ", "سعر", "ثمن", "价"),
)
_SIGNS = "$€£¥₽₴₸₹%٪"
# Characters of an amount after its first digit: from each digit of a longer run it is looked for anew.
_LONGEST_AMOUNT = 24
_END = re.compile(r"[.!?;؟。！？]+(?=\s|$)|[。！？؟\n]+")


class Pledges:
    """Finds pledges in texts as `fold` reads them."""

    def __init__(self, fold: Callable[[str], str]) -> None:
        words, currencies, prices = (
            "|".join(_pattern(fold(each)) for each in sorted(group, key=len, reverse=True))
            for group in ((*_DISCOUNTS, *_PROMISES), _CURRENCIES, _PRICES)
        )
        signs = f"[{_SIGNS}]"
        number = rf"\d[\d\s.,]{{0,{_LONGEST_AMOUNT}}}"
        amount = rf"{number}(?:{signs}|(?:{currencies}))|{signs}\s*\d[\d.,]*|(?:{currencies})\s*\d[\d.,]*"
        self._fold = fold
        self._said = re.compile(rf"{words}|{amount}")
        self._prices_and_numbers = re.compile(rf"(?P<number>\d[\d.,]*)|{prices}|\n")

    def sentences(self, text: str) -> dict[str, frozenset[str]]:
        """The sentences that hold a pledge, each with the words and amounts that make it one."""
        whole = (" ".join(self._fold(part).split()) for part in _END.split(text))
        found = {each: self.words(each) for each in whole}
        return {each: words for each, words in found.items() if words}

    def words(self, text: str) -> frozenset[str]:
        """The words and amounts of a text that make it a pledge."""
        read = self._fold(text)
        found = [match[0] for match in self._said.finditer(read)] or self._priced(read)
        return frozenset("".join(each.split()).rstrip(".,") for each in found)

    def _priced(self, read: str) -> list[str]:
        """From each word of a price to the next number of its line, and from a number to the next such word.

        One walk over the text: a pattern would look on from every number to the end.
        """
        found, begun = [], None
        for match in self._prices_and_numbers.finditer(read):
            if match[0] == "\n":
                begun = None
            elif begun is None:
                begun = match
            elif match.lastgroup != begun.lastgroup:
                found.append(read[begun.start() : match.end()])
                begun = None
        return found


def _pattern(word: str) -> str:
    """A beginning of words; anywhere in a word where a language writes none apart, or joins them."""
    joined = re.match(r"[\u0600-\u06ff\u3400-\u9fff]|rabatt|preis", word)
    short = r"\b" if len(word) == 1 and not joined else ""
    return ("" if joined else r"(?<![^\W\d])") + re.escape(word) + short
