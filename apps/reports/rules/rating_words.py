"""The words of the page on which a rating is given, in the languages of the widget. Pure."""

from typing import NamedTuple


class RatingWords(NamedTuple):
    """`of` names a mark (`#` is its value); `over` is said of a link that gives no rating any more."""

    bad: str
    great: str
    of: str
    message: str
    done: str
    wrong: str
    over: str


WORDS = {
    "en": RatingWords("Bad", "Great", "# of 5", "Message", "Submit", "Choose a mark.", "This link does not exist."),
    "de": RatingWords(
        "Schlecht",
        "Sehr gut",
        "# von 5",
        "Nachricht",
        "Absenden",
        "Bitte wählen Sie eine Bewertung.",
        "Diesen Link gibt es nicht.",
    ),
    "es": RatingWords(
        "Mal", "Muy bien", "# de 5", "Mensaje", "Enviar", "Elija una valoración.", "Este enlace no existe."
    ),
    "ru": RatingWords("Плохо", "Отлично", "# из 5", "Сообщение", "Отправить", "Выберите оценку.", "Такой ссылки нет."),
    "el": RatingWords(
        "Κακή", "Άριστη", "# από 5", "Μήνυμα", "Υποβολή", "Επιλέξτε βαθμολογία.", "Αυτός ο σύνδεσμος δεν υπάρχει."
    ),
    "zh": RatingWords("差", "很好", "#/5", "消息", "提交", "请选择评分。", "此链接不存在。"),
    "ar": RatingWords("سيئ", "رائع", "# من 5", "الرسالة", "إرسال", "اختر تقييمًا.", "هذا الرابط غير موجود."),
}
RIGHT_TO_LEFT = ("ar",)
