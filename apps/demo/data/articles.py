"""The demo's help centers: public pages of six articles in English and Russian, neither in the widget nor AI's."""

from django.conf import settings

from apps.accounts.models import Widget
from apps.articles.actions.articles import create_article
from apps.articles.actions.publishing import publish
from apps.articles.actions.texts import put_text
from apps.articles.models import Article, ArticleCategory, HelpCenter
from apps.articles.querysets.centers import free_slug
from apps.articles.rules.addresses import center_base
from apps.demo.document import Demo

CATEGORY = {"en": "Orders and delivery", "ru": "Заказы и доставка"}
# By a name of its own: title and text in English and in Russian.
ARTICLES: dict[str, tuple[tuple[str, str], tuple[str, str]]] = {
    "delivery": (
        (
            "How long delivery takes",
            (
                "We send an order the same day if you place it before 14:00.\n\n"
                "| Where to | Days |\n| --- | --- |\n| Our city | 1 |\n| Elsewhere in the country | 2–4 |\n"
            ),
        ),
        (
            "Сколько идёт доставка",
            (
                "Заказ до 14:00 мы отправляем в тот же день.\n\n"
                "| Куда | Дней |\n| --- | --- |\n| Наш город | 1 |\n| По стране | 2–4 |\n"
            ),
        ),
    ),
    "returns": (
        (
            "How to return an order",
            (
                "Write to us within 14 days.\n\n1. Name the number of the order.\n"
                "2. Pack the goods as they were.\n3. Hand the parcel to the courier.\n"
            ),
        ),
        (
            "Как вернуть заказ",
            (
                "Напишите нам в течение 14 дней.\n\n1. Назовите номер заказа.\n"
                "2. Упакуйте товар, как он был.\n3. Отдайте посылку курьеру.\n"
            ),
        ),
    ),
    "payment": (
        ("How to pay", "By card on the site, or in cash to the courier. The receipt comes by e-mail.\n"),
        ("Как оплатить", "Картой на сайте или наличными курьеру. Чек приходит на почту.\n"),
    ),
    "brewing": (
        (
            "How to brew green tea",
            (
                "Water of 80 °C, not boiling.\n\n- 3 g of tea for 150 ml\n- 2 minutes at first\n"
                "- a minute more each time after\n"
            ),
        ),
        (
            "Как заваривать зелёный чай",
            (
                "Вода 80 °C, не кипяток.\n\n- 3 г чая на 150 мл\n- сначала 2 минуты\n"
                "- каждый следующий раз на минуту дольше\n"
            ),
        ),
    ),
    "plants": (
        ("How to water a plant from us", "Water it when the upper two centimetres of the soil are dry.\n"),
        ("Как поливать наше растение", "Поливайте, когда верхние два сантиметра земли сухие.\n"),
    ),
    "gifts": (
        ("How to give an order as a gift", "Say so with the order: we pack it without a price and add your card.\n"),
        ("Как подарить заказ", "Скажите об этом при заказе: упакуем без цены и вложим вашу открытку.\n"),
    ),
}


def seed(demo: Demo) -> None:
    """Adds the missing articles; the document has the ids."""
    for widget in demo.rows(Widget).values():
        center = HelpCenter.objects.for_widget(widget.pk).first() or HelpCenter.objects.create(
            widget=widget, is_public=True, for_ai=False, slug=free_slug(widget.name, widget.guid)
        )
        category, _ = demo.find_or_create(
            f"{widget.guid} articles", ArticleCategory.objects.for_widget(widget.pk), {}, widget=widget, name=CATEGORY
        )
        of_demo = Article.objects.for_widget(widget.pk).filter(origin_key__startswith="demo:")
        known = dict(of_demo.values_list("origin_key", "pk"))
        ids = [
            known.get(f"demo:{name}") or _article(widget, name, place, category.pk)
            for place, name in enumerate(ARTICLES)
        ]
        part = demo.part(widget)
        part.setdefault("first_word", {}).update(
            slug=center.slug,
            help_url=center_base(settings.PUBLIC_URL, center.slug or "", None),
            article_ids=ids,
            category_id=category.pk,
        )
        part["path_ids"] |= {"article": ids[0], "article_category": category.pk}


def _article(widget: Widget, name: str, place: int, category_id: int) -> int:
    (title, body), (title_ru, body_ru) = ARTICLES[name]
    article = create_article(
        widget_id=widget.pk,
        lang="en",
        title=title,
        body=body,
        category_id=category_id,
        position=place,
        origin_key=f"demo:{name}",
    )
    put_text(widget_id=widget.pk, article_id=article.pk, lang="ru", title=title_ru, body=body_ru)
    for lang in ("en", "ru"):
        publish(widget_id=widget.pk, article_id=article.pk, lang=lang)
    return article.pk
