"""The cabinet's pages of rules, and the test box."""

from __future__ import annotations

import pytest
from django.test import Client

from apps.accounts.models import Account, Widget
from apps.demo.servers.language_models import Vendor
from apps.demo.servers.played import Says
from apps.kb.models import KnowledgeBase, Rule
from tests.cast import Rival
from tests.factories import AiAgentFactory, StaffFactory
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


def test_the_test_box_shows_the_ranks(staff: Client, shop: Widget) -> None:
    RuleFactory.create(source=SourceFactory.create(widget=shop), content="Доставка стоит 300 рублей.")
    page = f"/admin/kb/knowledgebase/{KnowledgeBase.objects.for_widget(shop.pk).get().pk}/ask/"
    assert staff.get(page).status_code == 200
    shown = staff.post(page, {"question": "доставка"}).content.decode()
    assert "Доставка стоит 300 рублей." in shown
    assert "Доставка стоит" not in staff.post(page, {"question": "космос"}).content.decode()


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
    base = KnowledgeBase.objects.for_widget(rival.widget.pk).get()
    for path in (f"rule/{rule.pk}/change/", f"knowledgebase/{base.pk}/ask/", f"knowledgebase/{base.pk}/change/"):
        assert staff.get(f"/admin/kb/{path}").status_code == 404
    assert staff.post("/admin/kb/rule/add/", {"widget": rival.widget.pk, "content": "a"}).status_code == 200
    assert Rule.objects.for_widget(rival.widget.pk).count() == 1
