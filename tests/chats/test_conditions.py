"""The catalogue of conditions over chats: each way to narrow chats takes its rows, and a row has one meaning."""

from datetime import timedelta
from typing import Any

import pytest
from django.contrib import admin
from django.utils import timezone, translation

from apps.accounts.models import Widget
from apps.agents.models import Agent, Department
from apps.chats.admin.chats import WaitsFilter
from apps.chats.api.chats import ChatListQuery
from apps.chats.models import Chat
from apps.chats.querysets.chats import FILTERS
from apps.chats.querysets.conditions import CONDITIONS, ConditionKind, annotations
from apps.console.querysets import View
from apps.console.querysets.inbox import _VIEWS
from apps.core.database import fetch_all
from tests.factories.chats import ChatFactory, MessageFactory

COLUMNS = {name: one for name, one in CONDITIONS.items() if one.kind is not ConditionKind.STATE}


def test_each_filter_of_the_apis_list_is_a_row() -> None:
    asked = {field.source for field in ChatListQuery().fields.values()} - {"q", "cursor", "limit"}
    assert asked == set(FILTERS)
    assert asked <= set(CONDITIONS)


def test_each_filter_of_the_cabinet_is_a_row() -> None:
    filters = admin.site._registry[Chat].list_filter
    columns = {one[0] if isinstance(one, tuple) else one for one in filters}
    assert {WaitsFilter.parameter_name if one is WaitsFilter else one for one in columns} - {"widget"} <= set(
        CONDITIONS
    )
    assert WaitsFilter.title == CONDITIONS["waits"].title


def test_each_view_of_the_console_is_made_of_rows() -> None:
    assert set(_VIEWS) == set(View)


@pytest.mark.parametrize("name", CONDITIONS)
def test_each_row_has_words_in_both_languages(name: str) -> None:
    told = {}
    for language in ("en", "ru"):
        with translation.override(language):
            told[language] = str(CONDITIONS[name].title)
    assert told["en"].isascii()
    assert not told["ru"].isascii()


@pytest.fixture
def chats(shop: Widget, alice: Agent, sales: Department) -> list[Chat]:
    """A chat of each kind."""
    day = timedelta(days=1)
    now = timezone.now()
    made = [
        ChatFactory.create(widget=shop, contact__widget=shop, channel="tg__1", agent=alice, handling="human"),
        ChatFactory.create(widget=shop, contact__widget=shop, department=sales, internal=True),
        ChatFactory.create(widget=shop, contact__widget=shop, status="expired", expired_at=now - day),
        ChatFactory.create(widget=shop, contact__widget=shop, status="expired", expired_at=now - 3 * day),
        ChatFactory.create(widget=shop, contact__widget=shop, status="spam"),
        ChatFactory.create(widget=shop, contact__widget=shop, snoozed_at=now, snoozed_after_id=0),
    ]
    MessageFactory.create(chat=made[0])
    Chat.objects.filter(pk=made[3].pk).update(created_at=now - 5 * day)
    return made


@pytest.mark.django_db
def test_a_row_means_the_same_in_sql_as_in_a_queryset(chats: list[Chat], shop: Widget, alice: Agent) -> None:
    moment = timezone.now() - timedelta(days=2)
    values: dict[str, Any] = {"status": "expired", "channel": "tg__1", "handling": "human", "agent": alice.pk}
    compared = {"": 0, "gte": 0, "lt": 0}
    for name, condition in COLUMNS.items():
        value = True if condition.kind is ConditionKind.FLAG else values.get(name, moment)
        comparison = condition.lookup.partition("__")[2]
        if comparison not in compared:
            continue
        sql = f"SELECT id FROM chats_chat c WHERE c.widget_id = %(widget_id)s AND {condition.sql('%(value)s')}"
        found = {row[0] for row in fetch_all(sql, {"widget_id": shop.pk, "value": value})}
        assert found == set(Chat.objects.for_widget(shop.pk).filter(condition.q(value)).values_list("pk", flat=True))
        assert 0 < len(found) < len(chats), f"{name} narrows nothing here"


@pytest.mark.django_db
def test_states_keep_the_chats_that_they_name(chats: list[Chat], shop: Widget) -> None:
    now = timezone.now()
    kept = {
        name: set(
            Chat.objects.for_widget(shop.pk)
            .annotate(**annotations(now))
            .filter(condition.q(now))
            .values_list("pk", flat=True)
        )
        for name, condition in CONDITIONS.items()
        if condition.kind is ConditionKind.STATE
    }
    tg, colleagues, closed, closed_before, _spam, aside = (chat.pk for chat in chats)
    assert kept == {
        "at_hand": {tg, colleagues},
        "waits": {tg},
        "closed": {closed, closed_before},
        "snoozed": {aside},
    }


def test_a_state_has_no_sql_of_its_own() -> None:
    with pytest.raises(ValueError, match="no column"):
        CONDITIONS["waits"].sql("%s")
