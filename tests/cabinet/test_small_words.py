"""Small words of the cabinet: a person has a name, a thing that is hidden has none, a figure is of something."""

import re
from html import unescape

import pytest
from django.test import Client
from django.utils import translation
from django.utils.translation import gettext

from apps.accounts.models import AuditEntry, Widget
from apps.chats.rules.aliases import alias_of
from apps.core.tasks import queues
from tests.cabinet.test_dashboard import figures
from tests.cast import signed_in
from tests.factories import ContactFactory, SuperuserFactory
from tests.factories.ai import AssistantFactory, UsageFactory

pytestmark = pytest.mark.django_db
RUSSIAN = {"accept-language": "ru"}


def words(browser: Client, path: str) -> str:
    """What the page says in Russian."""
    page = browser.get(path, headers=RUSSIAN)
    assert page.status_code == 200
    body = re.sub(r"(?s)<(script|style|svg)\b.*?</\1>", " ", page.content.decode())
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", body)).split())


def test_a_contact_without_a_name_is_called_by_the_alias_of_the_console(cabinet: Client, shop: Widget) -> None:
    contact = ContactFactory.create(widget=shop, name="", attributes={})
    page = words(cabinet, f"/admin/chats/contact/{contact.pk}/change/")
    assert page.startswith(f"{alias_of(contact.guid, 'en')} |"), "in the language of the widget, whoever reads it"
    assert page.count(contact.guid) == 1, "in its own field alone"
    assert "{}" not in page


def test_attributes_of_a_contact_are_read_as_lines(cabinet: Client, shop: Widget) -> None:
    attributes = {"plan": "pro", "is_vip": True, "cities": ["Рига", "Дубна"], "left": None}
    contact = ContactFactory.create(widget=shop, attributes=attributes)
    page = words(cabinet, f"/admin/chats/contact/{contact.pk}/change/")
    assert "cities : Рига, Дубна is_vip : да left : plan : pro" in page
    assert "{" not in page.partition("Атрибуты")[2].partition("Теги")[0]


@pytest.mark.parametrize("path", ["transaction/add/", "plansubscription/add/"])
def test_what_a_form_hides_has_no_name(path: str) -> None:
    assert "Intent" not in words(signed_in(SuperuserFactory.create()), f"/admin/billing/{path}")


def test_switches_of_the_look_agree_with_whatever_they_switch(cabinet: Client, shop: Widget) -> None:
    """The button, the greeting and the form are of three genders: `вкл.` is of none."""
    page = words(cabinet, f"/admin/widget/widgetlook/{shop.pk}/change/")
    assert "по умолчанию: вкл." in page
    assert not re.search(r"\b(включён|выключен)\b", page)


def test_the_use_of_ai_is_told_of_models_that_used_tokens(cabinet: Client, shop: Widget) -> None:
    UsageFactory.create(widget=shop, model="", assistant=None, prompt_tokens=0, completion_tokens=0)
    assert figures(cabinet)["AI usage"].rows == ()
    assert figures(cabinet)["AI usage"].note == "No model has used tokens."
    assistant = AssistantFactory.create(widget=shop, name="Ada")
    UsageFactory.create(widget=shop, model="m-1", assistant=assistant, prompt_tokens=5, completion_tokens=2)
    UsageFactory.create(widget=shop, model="e-1", assistant=None, prompt_tokens=3, completion_tokens=0)
    assert figures(cabinet)["AI usage"].rows == (
        ("Ada · m-1", "7 tokens, 1 calls"),
        ("e-1", "3 tokens, 1 calls"),
    )


def test_every_queue_has_a_name_in_the_language_of_who_reads_the_health_page() -> None:
    with translation.override("ru"):
        nameless = {queue.name for queue in queues() if not queue.title or gettext(queue.title) == queue.title}
    assert nameless == set()


def test_a_line_of_the_trail_says_when_as_people_do(cabinet: Client, shop: Widget) -> None:
    shop.name = "Flowers"
    shop.save()
    line = AuditEntry.objects.latest("pk")
    page = words(cabinet, f"/admin/accounts/auditentry/{line.pk}/change/")
    assert re.search(r"Когда \d{1,2} \w+ \d{4} г\. \d{1,2}:\d\d", page)
    assert "+00:00" not in page
