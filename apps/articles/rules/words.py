"""The words of the public pages, in each language that a widget may have. Pure."""

from collections.abc import Mapping
from typing import NamedTuple


class PageWords(NamedTuple):
    """The words of the pages in one language."""

    skip: str
    search_label: str
    search: str
    results: str
    nothing: str
    empty: str
    articles: str
    contents: str
    updated: str
    languages: str
    pages: str
    earlier: str
    later: str
    question: str
    yes: str
    no: str
    why: str
    wrong: str
    unclear: str
    missing: str
    other: str
    more: str
    send: str
    thanks: str
    not_found: str
    try_search: str
    links: str


WORDS: Mapping[str, PageWords] = {
    "en": PageWords(
        skip="Skip to the content",
        search_label="Search the help",
        search="Search",
        results="Search results",
        nothing="Nothing was found. Try other words.",
        empty="There are no articles here yet.",
        articles="Articles",
        contents="On this page",
        updated="Updated",
        languages="Languages",
        pages="Pages",
        earlier="Previous",
        later="Next",
        question="Did this article help?",
        yes="Yes",
        no="No",
        why="What is missing?",
        wrong="It is wrong",
        unclear="It is unclear",
        missing="Something is missing",
        other="Something else",
        more="In your words (optional)",
        send="Send",
        thanks="Thank you for your answer.",
        not_found="This page does not exist",
        try_search="Search for what you need.",
        links="Links",
    ),
    "ru": PageWords(
        skip="Перейти к содержанию",
        search_label="Поиск по справке",
        search="Найти",
        results="Результаты поиска",
        nothing="Ничего не нашлось. Попробуйте другие слова.",
        empty="Здесь пока нет статей.",
        articles="Статьи",
        contents="На этой странице",
        updated="Обновлено",
        languages="Языки",
        pages="Страницы",
        earlier="Назад",
        later="Дальше",
        question="Статья помогла?",
        yes="Да",
        no="Нет",
        why="Чего не хватило?",
        wrong="Написано неверно",
        unclear="Непонятно",
        missing="Чего-то не хватает",
        other="Другое",
        more="Своими словами (необязательно)",
        send="Отправить",
        thanks="Спасибо за ответ.",
        not_found="Такой страницы нет",
        try_search="Найдите то, что нужно, через поиск.",
        links="Ссылки",
    ),
    "el": PageWords(
        skip="Μετάβαση στο περιεχόμενο",
        search_label="Αναζήτηση στη βοήθεια",
        search="Αναζήτηση",
        results="Αποτελέσματα αναζήτησης",
        nothing="Δεν βρέθηκε τίποτα. Δοκιμάστε άλλες λέξεις.",
        empty="Δεν υπάρχουν ακόμη άρθρα εδώ.",
        articles="Άρθρα",
        contents="Σε αυτή τη σελίδα",
        updated="Ενημερώθηκε",
        languages="Γλώσσες",
        pages="Σελίδες",
        earlier="Προηγούμενη",
        later="Επόμενη",
        question="Σας βοήθησε αυτό το άρθρο;",
        yes="Ναι",
        no="Όχι",
        why="Τι λείπει;",
        wrong="Είναι λάθος",
        unclear="Είναι ασαφές",
        missing="Κάτι λείπει",
        other="Κάτι άλλο",
        more="Με δικά σας λόγια (προαιρετικό)",
        send="Αποστολή",
        thanks="Ευχαριστούμε για την απάντηση.",
        not_found="Αυτή η σελίδα δεν υπάρχει",
        try_search="Αναζητήστε αυτό που χρειάζεστε.",
        links="Σύνδεσμοι",
    ),
    "de": PageWords(
        skip="Zum Inhalt springen",
        search_label="Hilfe durchsuchen",
        search="Suchen",
        results="Suchergebnisse",
        nothing="Nichts gefunden. Versuchen Sie andere Wörter.",
        empty="Hier gibt es noch keine Artikel.",
        articles="Artikel",
        contents="Auf dieser Seite",
        updated="Aktualisiert",
        languages="Sprachen",
        pages="Seiten",
        earlier="Zurück",
        later="Weiter",
        question="Hat dieser Artikel geholfen?",
        yes="Ja",
        no="Nein",
        why="Was fehlt?",
        wrong="Er ist falsch",
        unclear="Er ist unklar",
        missing="Etwas fehlt",
        other="Etwas anderes",
        more="In Ihren Worten (optional)",
        send="Senden",
        thanks="Danke für Ihre Antwort.",
        not_found="Diese Seite gibt es nicht",
        try_search="Suchen Sie nach dem, was Sie brauchen.",
        links="Links",
    ),
    "es": PageWords(
        skip="Ir al contenido",
        search_label="Buscar en la ayuda",
        search="Buscar",
        results="Resultados de la búsqueda",
        nothing="No se ha encontrado nada. Pruebe con otras palabras.",
        empty="Aquí aún no hay artículos.",
        articles="Artículos",
        contents="En esta página",
        updated="Actualizado",
        languages="Idiomas",
        pages="Páginas",
        earlier="Anterior",
        later="Siguiente",
        question="¿Le ha ayudado este artículo?",
        yes="Sí",
        no="No",
        why="¿Qué falta?",
        wrong="Es incorrecto",
        unclear="No está claro",
        missing="Falta algo",
        other="Otra cosa",
        more="Con sus palabras (opcional)",
        send="Enviar",
        thanks="Gracias por su respuesta.",
        not_found="Esta página no existe",
        try_search="Busque lo que necesita.",
        links="Enlaces",
    ),
    "ar": PageWords(
        skip="الانتقال إلى المحتوى",
        search_label="البحث في المساعدة",
        search="بحث",
        results="نتائج البحث",
        nothing="لم يتم العثور على شيء. جرّب كلمات أخرى.",
        empty="لا توجد مقالات هنا بعد.",
        articles="المقالات",
        contents="في هذه الصفحة",
        updated="آخر تحديث",
        languages="اللغات",
        pages="الصفحات",
        earlier="السابق",
        later="التالي",
        question="هل أفادك هذا المقال؟",
        yes="نعم",
        no="لا",
        why="ما الذي ينقصه؟",
        wrong="فيه خطأ",
        unclear="غير واضح",
        missing="ينقصه شيء",
        other="شيء آخر",
        more="بكلماتك (اختياري)",
        send="إرسال",
        thanks="شكرًا على إجابتك.",
        not_found="هذه الصفحة غير موجودة",
        try_search="ابحث عما تحتاج إليه.",
        links="روابط",
    ),
    "zh": PageWords(
        skip="跳到正文",
        search_label="搜索帮助",
        search="搜索",
        results="搜索结果",
        nothing="没有找到结果，请换个词试试。",
        empty="这里还没有文章。",
        articles="文章",
        contents="本页内容",
        updated="更新于",
        languages="语言",
        pages="页码",
        earlier="上一页",
        later="下一页",
        question="这篇文章有帮助吗？",
        yes="有",
        no="没有",
        why="缺少什么？",
        wrong="内容有误",
        unclear="说得不清楚",
        missing="缺少内容",
        other="其他",
        more="请用您的话说明（选填）",
        send="发送",
        thanks="感谢您的回答。",
        not_found="此页面不存在",
        try_search="请搜索您需要的内容。",
        links="链接",
    ),
}
# The languages whose dates Django writes under another code.
_OF_DATES = {"zh": "zh-hans"}


def words_of(language: str) -> PageWords:
    """The words of a language; English ones where it has none."""
    return WORDS.get(language, WORDS["en"])


def locale_of(language: str) -> str:
    """The language as Django names it."""
    return _OF_DATES.get(language, language)
