"""The words of the closed widget by language. Pure."""

from collections.abc import Mapping

# What greets a visitor where the tenant has written nothing.
GREETINGS: Mapping[str, str] = {
    "ru": "Здравствуйте! Чем можем помочь?",
    "en": "Hello! How can we help?",
    "el": "Γεια σας! Πώς μπορούμε να βοηθήσουμε;",
    "de": "Hallo! Wie können wir helfen?",
    "es": "¡Hola! ¿En qué podemos ayudar?",
    "ar": "مرحبًا! كيف يمكننا مساعدتك؟",
    "zh": "您好！有什么可以帮您？",
}

# The texts of the closed widget, as its modules have them (tests/widget/test_static.py).
CLOSED: Mapping[str, Mapping[str, str]] = {
    "ru": {"open": "Открыть чат", "close": "Закрыть чат", "unread": "непрочитанных"},
    "en": {"open": "Open chat", "close": "Close chat", "unread": "unread"},
    "el": {"open": "Άνοιγμα συνομιλίας", "close": "Κλείσιμο συνομιλίας", "unread": "μη αναγνωσμένα"},
    "de": {"open": "Chat öffnen", "close": "Chat schließen", "unread": "ungelesen"},
    "es": {"open": "Abrir el chat", "close": "Cerrar el chat", "unread": "sin leer"},
    "ar": {"open": "فتح المحادثة", "close": "إغلاق المحادثة", "unread": "غير مقروءة"},
    "zh": {"open": "打开聊天", "close": "关闭聊天", "unread": "条未读"},
}
