"""Units directly behind a number, in the seven languages: `5 кг` and `5 kg` are one amount, `5 kg` and `5 g` are two.

A word that is not here is no unit: it makes no difference. A word of several units (`m`: metre, minute) may be any.
"""

import re

_WORDS = {
    "mg": "мг mg миллиграмм* milligram* miligramo* 毫克",
    "g": "г гр грамм* g gr gram grams gramm gramme gramo gramos γρ γραμμάρι* غ غم جم غرام غراما جرام 克",
    "kg": "кг килограмм* кило kg kgs kilo kilos kilogram* kilogramm* kilogramo* κιλό κιλά"
    " κιλών كغ كغم كجم كيلو كيلوغرام كيلوجرام"
    " 公斤 千克",
    "t": "т тонна тонны тонн t ton tons tonne tonnes tonnen tonelada toneladas τόνος τόνοι τόνους طن 吨 噸",
    "mm": "мм миллиметр* mm millimeter* millimetre* milímetro* 毫米",
    "cm": "см сантиметр* cm centimeter* centimetre* zentimeter* centímetro* εκατοστ* سم سنتيمتر 厘米 公分",
    "m": "м метр метра метров метры m meter meters metre metres metro metros μέτρο μέτρα μέτρων متر أمتار 米 公尺",
    "km": "км километр* km kilometer* kilometre* kilómetro* χλμ χιλιόμετρ* كم كيلومتر 公里 千米",
    "ml": "мл миллилитр* ml milliliter* millilitre* mililitro* مل 毫升",
    "l": "л литр литра литров литры l liter liters litre litres litro litros λίτρο λίτρα λίτρων لتر لترات 升 公升",
    "second": "сек секунда секунды секунд секунду s sec secs second seconds sek sekunde sekunden segundo segundos"
    " δευτερόλεπτ* ثانية ثوان ثواني 秒 秒钟",
    "minute": "мин минута минуты минут минуту m min mins minute minutes minuten minuto"
    " minutos λεπτό λεπτά λεπτών دقيقة دقائق"
    " 分钟 分鐘",
    "hour": "ч час часа часов h hr hrs hour hours std stunde stunden hora horas ώρα ώρες ωρών ساعة ساعات"
    " 小时 小時 个小时 個小時",
    "day": "дн день дня дней сутки суток d day days tag tage tagen día días"
    " dia dias ημέρα ημέρες ημερών μέρα μέρες μερών"
    " يوم يوما يوماً أيام 天",
    "week": "нед неделя недели недель неделю wk wks week weeks woche"
    " wochen semana semanas εβδομάδα εβδομάδες εβδομάδων"
    " أسبوع أسبوعا أسابيع 周 週 星期 个星期",
    "month": "мес месяц месяца месяцев mo mos month months monat monate monaten mes meses"
    " μήνας μήνες μηνών شهر شهرا أشهر شهور"
    " 个月 個月",
    "year": "г год года лет yr yrs year years jahr jahre jahren año años χρόνος χρόνια"
    " έτος έτη ετών سنة سنوات عام أعوام 年",
    "celsius": "°c",
    "fahrenheit": "°f",
    "kb": "кб kb",
    "mb": "мб mb",
    "gb": "гб gb",
    "tb": "тб tb",
    "w": "вт ватт w watt watts vatios",
    "kw": "квт киловатт kw kilowatt",
}
_UNSPACED = re.compile(r"[\u2e80-\u9fff]+")


def _units_of_words() -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for unit, words in _WORDS.items():
        for word in words.casefold().split():
            found.setdefault(word, set()).add(unit)
    return {word: frozenset(units) for word, units in found.items()}


_UNITS = _units_of_words()
_STEMS = {word.rstrip("*"): units for word, units in _UNITS.items() if word.endswith("*")}
# How long the ending of a stem may be.
_LONGEST_ENDING = 3
_HAN = sorted((word for word in _UNITS if _UNSPACED.fullmatch(word)), key=len, reverse=True)
# Behind a number: the longest unit of a script without spaces, or a whole word; a letter with a digit (m2) is none.
_BEHIND = re.compile(rf"[ \u00a0-]?(?:({'|'.join(_HAN)})|(°[CcFf]|[^\W\d_]{{1,20}})(?![\w²³/]))")


def units_behind(text: str, end: int) -> frozenset[str]:
    """The units that the word directly behind a number may be, which ends at `end`; none for any other word."""
    match = _BEHIND.match(text, end)
    if not match:
        return frozenset()
    word = (match[1] or match[2]).casefold()
    if word in _UNITS:
        return _UNITS[word]
    stem = next((word[:length] for length in range(len(word), 0, -1) if word[:length] in _STEMS), None)
    return _STEMS[stem] if stem and len(word) - len(stem) <= _LONGEST_ENDING else frozenset()
