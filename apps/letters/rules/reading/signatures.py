"""Lines under a letter that nobody wrote: signatures, what a program says of itself, a scanner's praise. Data."""

import re

from apps.letters.rules.reading.intros import bare

# By program and language; the whole line.
_OF_PROGRAMS = re.compile(
    "|".join(
        (
            # en: Apple, Samsung, Outlook, Gmail, Yahoo, Proton, BlackBerry
            r"(?:sent|get|composed) (?:from|with|by|via|using|on) .{1,80}",
            r"get outlook for (?:ios|android|mac).{0,120}",
            r"yahoo mail: search, organize, conquer.{0,80}",
            # ru
            r"(?:отправлено|послано|написано) (?:с|со|из|через|при помощи|с помощью) .{1,120}",
            r"(?:получить|скачать) outlook (?:для|for) .{1,80}",
            r"установите outlook .{1,80}",
            # de
            r"(?:von meinem|von meinem/meiner|gesendet von|gesendet mit|diese nachricht wurde von|von unterwegs|gesendet aus|gesendet über) .{0,120}",
            r"von meinem .{1,60} gesendet",
            r"diese nachricht wurde von meinem .{1,80} gesendet.{0,60}",
            r"(?:outlook für|holen sie sich outlook für) (?:ios|android).{0,80}",
            # el
            r"(?:στάλθηκε από|αποκτήστε το outlook για|εστάλη από) .{1,80}",
            # es
            r"(?:enviado desde|enviado con|obtener outlook para|descargar outlook para) .{1,80}",
            # ar
            r"(?:أُرسلت من|أرسلت من|تم الإرسال من|مرسل من|الحصول على outlook) .{1,80}",
            # zh
            r"(?:发自我的|从我的|發自我的|发自|發送自|获取|发送自) ?.{1,60}",
            # fr, it, pt, pl, uk
            r"(?:envoyé de|envoyé depuis|inviato da|enviado do|enviado pelo|wysłane z|надіслано з) .{1,80}",
            # scanners
            r"(?:virus-free|virenfrei|без вирусов|libre de virus)\.? ?.{0,80}",
        )
    ),
    re.IGNORECASE,
)
_LONGEST = 140
# How a letter is closed, in each language; a line that begins so, short.
_CLOSINGS = (
    *(
        "best regards",
        "kind regards",
        "regards",
        "best wishes",
        "sincerely",
        "yours sincerely",
        "thanks and regards",
        "cheers",
    ),
    *("с уважением", "с наилучшими пожеланиями", "всего доброго", "с почтением"),
    *(
        "mit freundlichen grüßen",
        "mit freundlichen gruessen",
        "freundliche grüße",
        "viele grüße",
        "beste grüße",
        "mfg",
        "lg",
    ),
    *("με εκτίμηση", "φιλικά", "saludos", "saludos cordiales", "un saludo", "atentamente"),
    *(
        "مع أطيب التحيات",
        "تحياتي",
        "此致",
        "敬礼",
        "祝好",
        "顺祝商祺",
        "cordialement",
        "cordiali saluti",
        "atenciosamente",
    ),
)


def is_delimiter(line: str) -> bool:
    """Whether a signature begins below: `-- ` (RFC 3676), whose blank programs lose."""
    return line.replace("\xa0", " ").strip(" \t\r") in ("--", "—", "–") and not line.startswith(">")


def is_of_program(line: str) -> bool:
    """Whether a program wrote the line by itself."""
    found = bare(line)
    return len(found) <= _LONGEST and _OF_PROGRAMS.fullmatch(found) is not None


def is_closing(line: str) -> bool:
    """Whether a letter's close begins there."""
    found = bare(line).lower().rstrip(" ,.!-—")
    return len(found) <= 60 and any(found == one or found.startswith((f"{one},", f"{one} ")) for one in _CLOSINGS)
