"""The phrases that the service says by itself, in the seven languages (specification, "AI configuration")."""

import re
import unicodedata

MAX_PHRASE = 500
LONGEST_SENT = 8 * MAX_PHRASE

PHRASES: dict[str, dict[str, str]] = {
    "handoff_to_human": {
        "ru": "Передаю ваш вопрос оператору. Он ответит вам здесь, в этом чате.",
        "en": "I'm passing your question on to a colleague, who will answer you here in this chat.",
        "el": "Προωθώ την ερώτησή σας σε έναν συνάδελφο. Θα σας απαντήσει εδώ, σε αυτή τη συνομιλία.",
        "de": "Ich gebe Ihre Frage an einen Kollegen weiter. Sie bekommen die Antwort hier im Chat.",
        "es": "Paso su pregunta a un compañero, que le responderá aquí, en este chat.",
        "ar": "سأحيل سؤالك إلى أحد زملائي، وسيجيبك هنا في هذه المحادثة.",
        "zh": "我把您的问题转给同事，他会在这个对话里回复您。",
    },
    "handover_notice": {
        "ru": "Позвал оператора, он сейчас подключится. Пожалуйста, оставайтесь в чате.",
        "en": "I've called a colleague, who will join in a moment. Please stay in the chat.",
        "el": "Κάλεσα έναν συνάδελφο και θα συνδεθεί σε λίγο. Παρακαλώ μείνετε στη συνομιλία.",
        "de": "Ich habe einen Kollegen gerufen, er ist gleich da. Bitte bleiben Sie im Chat.",
        "es": "He avisado a un compañero y se unirá enseguida. Por favor, siga en el chat.",
        "ar": "استدعيت أحد زملائي وسينضم إلينا بعد قليل. من فضلك ابقَ في المحادثة.",
        "zh": "我已经联系了同事，马上就来，请不要离开对话。",
    },
    "handover_offline": {
        "ru": (
            "Сейчас никого из операторов нет на месте. Я передал им ваш вопрос, они ответят, как только вернутся. "
            "А пока спросите меня: постараюсь помочь."
        ),
        "en": (
            "None of my colleagues is here right now. I've passed your question on, and they will answer as soon as "
            "they are back. Meanwhile, feel free to ask me: I'll do my best to help."
        ),
        "el": (
            "Αυτή τη στιγμή δεν είναι διαθέσιμος κανένας συνάδελφος. Τους έδωσα την ερώτησή σας και θα απαντήσουν "
            "μόλις επιστρέψουν. Στο μεταξύ, ρωτήστε με: θα κάνω ό,τι μπορώ."
        ),
        "de": (
            "Gerade ist keiner meiner Kollegen da. Ich habe Ihre Frage weitergegeben, sie antworten, sobald sie zurück "
            "sind. Fragen Sie in der Zwischenzeit gern mich: Ich helfe, so gut ich kann."
        ),
        "es": (
            "Ahora mismo no hay ningún compañero disponible. Les he pasado su pregunta y responderán en cuanto "
            "vuelvan. Mientras tanto, puede preguntarme a mí: haré lo posible por ayudarle."
        ),
        "ar": (
            "لا يوجد أحد من زملائي الآن. نقلت إليهم سؤالك وسيجيبون فور عودتهم. "
            "حتى ذلك الحين يمكنك أن تسألني، وسأبذل جهدي لمساعدتك."
        ),
        "zh": "现在没有同事在线。我已把您的问题转给他们，他们回来后会尽快回复。在此期间您可以继续问我，我会尽力帮忙。",
    },
    "handover_unknown": {
        "ru": "Передал ваш вопрос операторам. Они ответят здесь, как только смогут.",
        "en": "I've passed your question on to my colleagues. They will answer here as soon as they can.",
        "el": "Έδωσα την ερώτησή σας στους συναδέλφους μου. Θα απαντήσουν εδώ μόλις μπορέσουν.",
        "de": "Ich habe Ihre Frage an meine Kollegen weitergegeben. Sie antworten hier, sobald sie können.",
        "es": "He pasado su pregunta a mis compañeros. Responderán aquí en cuanto puedan.",
        "ar": "نقلت سؤالك إلى زملائي، وسيجيبونك هنا في أقرب وقت ممكن.",
        "zh": "我已把您的问题转给同事，他们会尽快在这里回复您。",
    },
    "social_reply": {
        "ru": "Пожалуйста! Если появятся вопросы, пишите.",
        "en": "You're welcome! If you have any questions, just write.",
        "el": "Παρακαλώ! Αν έχετε κάποια ερώτηση, γράψτε μου.",
        "de": "Gern! Wenn Sie Fragen haben, schreiben Sie einfach.",
        "es": "¡Con gusto! Si tiene alguna pregunta, escríbame.",
        "ar": "على الرحب والسعة! إذا كان لديك أي سؤال فاكتب لي.",
        "zh": "不客气！有问题随时告诉我。",
    },
    "handoff_to_ai": {
        "ru": "Операторы пока заняты, поэтому отвечу я, чтобы вы не ждали.",
        "en": "My colleagues are busy at the moment, so I'll answer to save you the wait.",
        "el": "Οι συνάδελφοί μου είναι απασχολημένοι, οπότε θα σας απαντήσω εγώ για να μην περιμένετε.",
        "de": "Meine Kollegen sind gerade beschäftigt, deshalb antworte ich, damit Sie nicht warten müssen.",
        "es": "Mis compañeros están ocupados en este momento, así que le respondo yo para que no espere.",
        "ar": "زملائي مشغولون الآن، لذلك سأجيبك أنا حتى لا تنتظر.",
        "zh": "同事们正忙，先由我来回答您，免得您久等。",
    },
    "pii_restore_fallback": {
        "ru": "Не могу показать этот ответ, чтобы не раскрыть личные данные. Пожалуйста, задайте вопрос иначе.",
        "en": "I can't show this answer without risking personal data. Please ask your question in another way.",
        "el": (
            "Δεν μπορώ να δείξω αυτή την απάντηση χωρίς κίνδυνο για προσωπικά δεδομένα. "
            "Παρακαλώ διατυπώστε αλλιώς την ερώτησή σας."
        ),
        "de": (
            "Diese Antwort kann ich nicht zeigen, ohne persönliche Daten preiszugeben. "
            "Bitte stellen Sie Ihre Frage anders."
        ),
        "es": (
            "No puedo mostrar esta respuesta sin arriesgar datos personales. "
            "Por favor, haga su pregunta de otra manera."
        ),
        "ar": "لا يمكنني عرض هذا الجواب دون المخاطرة ببيانات شخصية. من فضلك اطرح سؤالك بطريقة أخرى.",
        "zh": "为避免泄露个人信息，这条回答无法显示。请换一种方式提问。",
    },
}
"""What is said by default, by key and language."""

PHRASE_KEYS = tuple(PHRASES)

_TAG = re.compile(r"<[^<>]*>")
_BREAKS = re.compile(r"(?<! ) *+[\t\r\n\v\f\x1c-\x1e\x85\u2028\u2029][\s]*")


def stripped(text: str) -> str:
    """An override as it is kept: without tags, line breaks and tabs as one space, without other controls, trimmed."""
    text = _BREAKS.sub(" ", _TAG.sub("", text))
    return "".join(character for character in text if unicodedata.category(character) != "Cc").strip()


def cleaned(text: str) -> str:
    """The text stripped, unless it is far too long to be one."""
    return stripped(text) if len(text) <= LONGEST_SENT else text


def phrase(key: str, language: str, overrides: dict[str, dict[str, str]]) -> str:
    """The text of a phrase: the widget's override, else the default."""
    return overrides.get(key, {}).get(language) or PHRASES[key][language]
