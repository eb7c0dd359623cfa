"""The cabinet's pages of rules, and the test box."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import transaction
from django.test import Client

from apps.accounts.models import Account, Widget
from apps.demo.servers.language_models import Vendor
from apps.demo.servers.played import Says
from apps.kb.admin.knowledge import KnowledgeBaseAdmin
from apps.kb.models import KnowledgeBase, Rule
from apps.learning.actions.demand import note_demand
from apps.learning.rules.states import DemandCategory
from tests.cast import Rival
from tests.factories import AiAgentFactory, ChatFactory, StaffFactory
from tests.factories.ai import ExchangeFactory
from tests.factories.kb import RuleFactory, SourceFactory


@pytest.fixture
def staff(client: Client, shop: Widget) -> Client:
    account: Account = shop.account
    client.force_login(StaffFactory.create(account=account))
    return client


def test_a_rule_is_written_changed_and_deleted(staff: Client, shop: Widget) -> None:
    operator = AiAgentFactory.create(widget=shop)
    form = {"widget": shop.pk, "content": "Открыто с девяти.\r\nВсегда.", "doc_id": "faq", "operator": operator.pk}
    assert staff.post("/admin/kb/rule/add/", form).status_code == 302
    rule = Rule.objects.for_widget(shop.pk).get()
    assert (rule.content, rule.doc_id, rule.operator) == ("Открыто с девяти.\nВсегда.", "faq", operator)
    page = f"/admin/kb/rule/{rule.pk}/change/"
    assert "Открыто с девяти." in staff.get(page).content.decode()
    assert staff.post(page, {**form, "content": "New.", "doc_id": "", "operator": ""}).status_code == 302
    rule = Rule.objects.for_widget(shop.pk).get()
    assert (rule.content, rule.doc_id, rule.operator, rule.source.ref) == ("New.", None, None, "manual")
    assert "New." in staff.get("/admin/kb/rule/").content.decode()
    assert staff.post(f"/admin/kb/rule/{rule.pk}/delete/", {"post": "yes"}).status_code == 302
    assert not Rule.objects.for_widget(shop.pk).exists()


@pytest.mark.usefixtures("embedding")
def test_a_provider_that_fails_is_told_and_nothing_is_stored(staff: Client, shop: Widget, vendor: Vendor) -> None:
    vendor.answer = lambda _: Says({}, status=500)
    answer = staff.post("/admin/kb/rule/add/", {"widget": shop.pk, "content": "a"})
    assert answer.status_code == 200
    assert "server_error" in answer.content.decode()
    assert not Rule.objects.for_widget(shop.pk).exists()


def test_the_page_tells_one_count_of_pieces_while_a_site_is_read(
    staff: Client, shop: Widget, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = SourceFactory.create(widget=shop)
    RuleFactory.create(source=source)
    read = KnowledgeBaseAdmin.get_object

    def read_while_a_piece_comes(self: KnowledgeBaseAdmin, *args: Any) -> KnowledgeBase:
        base = read(self, *args)
        RuleFactory.create(source=source)
        return base

    monkeypatch.setattr(KnowledgeBaseAdmin, "get_object", read_while_a_piece_comes)
    page = staff.get(f"/admin/kb/knowledgebase/{shop.pk}/change/")
    assert KnowledgeBase.objects.for_widget(shop.pk).get().rules == 2
    assert page.context["knowledge"]["told"] == "1 piece of 1 source"
    assert page.context["original"].rules == 1


def test_the_test_box_shows_the_ranks(staff: Client, shop: Widget) -> None:
    RuleFactory.create(source=SourceFactory.create(widget=shop), content="Доставка стоит 300 рублей.")
    page = f"/admin/kb/knowledgebase/{shop.pk}/ask/"
    assert staff.get(page).status_code == 200
    shown = staff.post(page, {"question": "доставка"}).content.decode()
    assert "Доставка стоит 300 рублей." in shown
    assert "Доставка стоит" not in staff.post(page, {"question": "космос"}).content.decode()


def test_the_page_of_knowledge_tells_what_is_known_used_and_lacking(
    staff: Client, shop: Widget, rival: Rival, django_assert_max_num_queries: Any
) -> None:
    used, idle = (
        RuleFactory.create(source=SourceFactory.create(widget=shop, ref=title, title=title))
        for title in ("Доставка", "Оплата")
    )
    ExchangeFactory.create(chat=ChatFactory.create(contact__widget=shop), chunk_ids=[used.pk])
    ExchangeFactory.create(chat=ChatFactory.create(contact__widget=rival.widget), chunk_ids=[idle.pk])
    chat = ChatFactory.create(contact__widget=shop)
    with transaction.atomic():
        note_demand(
            widget_id=shop.pk,
            category=DemandCategory.KNOWLEDGE_GAP,
            chat_id=chat.pk,
            burst_id=1,
            question="Есть ли самовывоз?",
        )
    page = f"/admin/kb/knowledgebase/{shop.pk}/change/"
    shown = staff.get(page, headers={"Accept-Language": "en"}).content.decode()
    assert "2 pieces of 2 sources" in shown
    assert "Есть ли самовывоз?" in shown
    never = shown[shown.index("Not used by any answer in 30 days") :]
    assert "Оплата" in never
    assert "Доставка" not in never
    for number in range(5):
        RuleFactory.create(source=SourceFactory.create(widget=shop, ref=f"{number}", title=f"No. {number}"))
    with django_assert_max_num_queries(40):
        assert "No. 4" in staff.get(page).content.decode()


def test_a_source_is_deleted_with_its_rules(staff: Client, shop: Widget, rival: Rival) -> None:
    rules = [RuleFactory.create(source=SourceFactory.create(widget=shop, ref="manual:faq")) for _ in range(2)]
    foreign = RuleFactory.create(source=SourceFactory.create(widget=rival.widget))
    assert "manual:faq" in staff.get("/admin/kb/source/").content.decode()
    assert staff.get(f"/admin/kb/source/{foreign.source_id}/delete/").status_code == 404
    assert staff.post(f"/admin/kb/source/{rules[0].source_id}/delete/", {"post": "yes"}).status_code == 302
    assert not Rule.objects.for_widget(shop.pk).exists()
    assert Rule.objects.for_widget(rival.widget.pk).count() == 1


def test_the_rivals_are_not_there(staff: Client, rival: Rival) -> None:
    rule = RuleFactory.create(source=SourceFactory.create(widget=rival.widget))
    base = rival.widget
    for path in (f"rule/{rule.pk}/change/", f"knowledgebase/{base.pk}/ask/", f"knowledgebase/{base.pk}/change/"):
        assert staff.get(f"/admin/kb/{path}").status_code == 404
    assert staff.post("/admin/kb/rule/add/", {"widget": rival.widget.pk, "content": "a"}).status_code == 200
    assert Rule.objects.for_widget(rival.widget.pk).count() == 1
