"""The marketplace: its templates, and assistants made of them (design of learning, 9)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.db import connection

from apps.accounts.models import Widget
from apps.ai.models import Assistant, PersonaVersion
from apps.ai.rules.actors import SYSTEM
from apps.ai.rules.configuration import PLATFORM_TRIGGERS, effective_triggers
from apps.core.problems import Problem
from apps.learning.actions.marketplace import apply_template
from apps.learning.marketplace import CATEGORIES, Template, templates
from tests.client import ApiClient, assert_problem
from tests.factories.ai import AssistantFactory

TEMPLATES = "/ai/marketplace/templates"
ALL = [one for languages in templates().values() for one in languages.values()]


def listed(api: ApiClient, **query: Any) -> Any:
    response = api.get(TEMPLATES, query=query)
    assert response.status_code == 200, response.content
    return response.json()


def apply(api: ApiClient, slug: str = "hotel", **query: str) -> Any:
    return api.post(f"{TEMPLATES}/{slug}/apply", query=query)


class TestTemplates:
    def test_ten_trades_in_russian_and_english_in_every_category(self) -> None:
        assert len(templates()) >= 10
        assert all({"ru", "en"} <= set(languages) for languages in templates().values())
        assert {one.category for one in ALL} == set(CATEGORIES)

    @pytest.mark.parametrize("one", ALL, ids=lambda one: f"{one.slug}.{one.language}")
    def test_each_template_is_complete(self, one: Template) -> None:
        assert 600 <= len(one.persona) <= 4_000
        assert len(one.triggers) == len(set(one.triggers)) >= 5
        assert set(one.triggers).isdisjoint(PLATFORM_TRIGGERS)
        assert 3 <= len(one.quick_phrases) <= 6
        assert max(map(len, one.quick_phrases)) <= 40
        assert one.greeting
        assert one.description
        assert one.version >= 1
        assert bool(re.search("[а-яё]", one.persona)) == (one.language == "ru")

    def test_no_two_are_of_one_mould(self) -> None:
        """No sentence of a persona stands in another one."""
        seen: dict[str, str] = {}
        for one in ALL:
            for sentence in _sentences(one.persona):
                assert seen.setdefault(sentence, one.slug) == one.slug, sentence


def _sentences(text: str) -> Iterator[str]:
    return (sentence.strip() for sentence in re.split(r"(?<=[.!?])\s+", text) if len(sentence) > 40)


class TestReading:
    def test_the_list_is_by_name_in_pages(self, api: ApiClient) -> None:
        found = listed(api, locale="ru", limit="4", page="2")
        whole = listed(api, locale="ru", limit="100")
        names = [row["name"] for row in whole["data"]]
        assert names == sorted(names)
        assert found["data"] == whole["data"][4:8]
        assert (found["page"], found["limit"], found["total"], found["pages"]) == (2, 4, 10, 3)
        assert whole["data"][0].keys() == {*("slug", "version", "category", "name", "description", "locale", "locales")}
        assert listed(api, page="99")["data"] == []

    def test_templates_are_filtered_by_category_and_language(self, api: ApiClient) -> None:
        rows = listed(api, category="hospitality", locale="de")["data"]
        assert [(row["slug"], row["locale"], row["locales"]) for row in rows] == [
            ("hotel", "en", ["en", "ru"]),
            ("restaurant", "en", ["en", "ru"]),
        ]

    @pytest.mark.parametrize("query", [{"category": "space"}, {"locale": "fr"}, {"page": "0"}, {"cursor": "x"}])
    def test_a_bad_query_of_the_templates_is_422(self, api: ApiClient, query: dict[str, str]) -> None:
        assert_problem(api.get(TEMPLATES, query=query), 422, "invalid_input", errors=list(query))

    def test_one_has_all_its_texts(self, api: ApiClient) -> None:
        one = api.get(f"{TEMPLATES}/hotel", query={"locale": "ru"}).json()["data"]
        template = templates()["hotel"]["ru"]
        assert (one["persona"], one["system_prompt"]) == (template.persona, template.system_prompt)
        assert one["effective_escalation_triggers"] == effective_triggers(template.triggers)

    def test_an_unknown_template_is_404(self, api: ApiClient) -> None:
        assert_problem(api.get(f"{TEMPLATES}/casino"), 404, "not_found")
        assert_problem(apply(api, "casino"), 404, "not_found")


class TestApplying:
    def test_it_adds_an_assistant_with_a_first_version(self, api: ApiClient, shop: Widget) -> None:
        response = apply(api, locale="ru")
        assert response.status_code == 201, response.content
        made = response.json()["data"]
        template = templates()["hotel"]["ru"]
        assert (made["name"], made["persona"], made["enabled"], made["is_default"]) == (
            "Отель",
            template.persona,
            True,
            True,
        )
        assert made["quick_phrases"] == list(template.quick_phrases)
        version = PersonaVersion.objects.get(assistant_id=made["id"])
        assert (version.version, version.cause, version.summary) == (1, "template", "hotel@1 (ru)")

    def test_twice_makes_two_and_the_default_stays(self, api: ApiClient, shop: Widget) -> None:
        first = AssistantFactory.create(widget=shop, is_default=True)
        assert [apply(api, locale="en").json()["data"]["is_default"] for _ in range(2)] == [False, False]
        assert Assistant.objects.for_widget(shop.pk).count() == 3
        assert Assistant.objects.for_widget(shop.pk).default() == first

    def test_the_sixth_template_of_an_hour_is_429(self, api: ApiClient, shop: Widget) -> None:
        assert [apply(api).status_code for _ in range(5)] == [201] * 5
        response = apply(api, "restaurant")
        assert_problem(response, 429, "too_many_templates")
        assert 3_500 < int(response["Retry-After"]) <= 3_600
        assert Assistant.objects.for_widget(shop.pk).count() == 5

    def test_there_is_no_body(self, api: ApiClient) -> None:
        assert_problem(api.post(f"{TEMPLATES}/hotel/apply", json={"name": "x"}), 422, "invalid_input", errors=["name"])


@pytest.mark.django_db(transaction=True)
def test_of_forty_at_once_exactly_five_are_applied(shop: Widget) -> None:
    template = templates()["hotel"]["en"]

    def call(_: int) -> int:
        try:
            apply_template(widget_id=shop.pk, template=template, actor=SYSTEM)
        except Problem as refused:
            return refused.type.status
        finally:
            connection.close()
        return 201

    with ThreadPoolExecutor(8) as callers:
        statuses = sorted(callers.map(call, range(40)))
    assert statuses == [201] * 5 + [429] * 35
    assert Assistant.objects.for_widget(shop.pk).count() == PersonaVersion.objects.for_widget(shop.pk).count() == 5
