"""Retrieval: what the bot is given, and its preview (design of the knowledge base, 3)."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from apps.accounts.models import Widget
from apps.agents.models import Agent
from apps.ai.models import Alert
from apps.demo.servers.language_models import Vendor
from apps.demo.servers.played import PlayedRequest, Says
from apps.egress.call_budget import CallBudget
from apps.kb.actions.retrieval import asked_of, find, retrieve
from apps.kb.models import Rule
from apps.kb.questions import Knowledge
from apps.kb.rules.fusion import Ranks, RuleCandidate, chosen, spellable, tokens_of
from tests.cast import Rival
from tests.client import ApiClient, assert_problem
from tests.factories import AiAgentFactory
from tests.factories.ai import AssistantFactory
from tests.factories.kb import RuleFactory, SourceFactory

DELIVERY = "Доставка по городу стоит триста рублей, ещё дешевле от двух букетов."
RETURNS = "Возврат возможен в течение семи дней при наличии чека."
HOURS = "The shop is open from nine to eighteen, on Sundays until noon."
CODE = "Vase AX-4417 holds twelve tulips."
MEANINGS = {"цвет": [1.0, 0.1, 0.0], "роз": [1.0, 0.0, 0.1], "чек": [0.0, 1.0, 0.0]}


def rule(shop: Widget, content: str, title: str = "", ref: str = "manual", **more: Any) -> Rule:
    made: Rule = RuleFactory.create(
        source=SourceFactory.create(widget=shop, ref=ref), content=content, title=title, **more
    )
    return made


@pytest.fixture
def knowledge(shop: Widget) -> list[Rule]:
    return [rule(shop, text) for text in (DELIVERY, RETURNS, HOURS, CODE)]


def search(api: ApiClient, q: str, **query: Any) -> Any:
    response = api.get("/kb/search", query={"q": q, **query})
    assert response.status_code == 200, response.content
    return response.json()["data"]


def contents(api: ApiClient, q: str, **query: Any) -> list[str]:
    return [chunk["content"] for chunk in search(api, q, **query)["chunks"]]


def retrieved(shop: Widget, query: str, operator_id: int | None = None, **more: Any) -> Knowledge:
    meter = CallBudget(operations=10, seconds=45)
    return retrieve(
        widget_id=shop.pk, assistant_id=1, operator_id=operator_id, query=query, language="ru", budget=meter, **more
    )


def meanings(request: PlayedRequest) -> dict[str, Any]:
    """Vectors by the first word that a text holds of MEANINGS; of other texts, one that is far from all."""

    def vector(text: str) -> list[float]:
        return next((vector for word, vector in MEANINGS.items() if word in text.lower()), [0.0, 0.0, -1.0])

    made = [{"object": "embedding", "index": n, "embedding": vector(t)} for n, t in enumerate(request.json["input"])]
    return {"object": "list", "data": made, "model": "e-1", "usage": {"prompt_tokens": 1, "total_tokens": 1}}


@pytest.mark.usefixtures("knowledge")
class TestText:
    @pytest.mark.parametrize(
        ("question", "first"),
        [
            ("сколько стоит доставка?", DELIVERY),
            ("ЕЩЕ ДЕШЕВЛЕ", DELIVERY),
            ("как вернуть: возвраты и чеки", RETURNS),
            ("opening on Sunday", HOURS),
            ("AX-4417", CODE),
            ("и в на AX-4417", CODE),
        ],
    )
    def test_words_are_found_in_any_form(self, api: ApiClient, question: str, first: str) -> None:
        found = search(api, question)
        assert found["retrieval"] == "text"
        assert found["chunks"][0]["content"] == first
        assert found["chunks"][0]["ranks"]["text"] == 1
        assert found["chunks"][0]["similarity"] is None

    @pytest.mark.parametrize(
        ("question", "first"), [("даставка", DELIVERY), ("вазврат", RETURNS), ("twelvve", CODE), ("dostavka", DELIVERY)]
    )
    def test_misspelt_words_are_found_by_their_spelling(self, api: ApiClient, question: str, first: str) -> None:
        (chunk,) = search(api, question)["chunks"]
        assert chunk["content"] == first
        assert chunk["ranks"] == {"vector": None, "text": None, "trigram": 1}

    @pytest.mark.parametrize("question", ["ljcnfdrf", "Ljcnfdrf gj ujhjle", "djpdhfn", "еуьз", "ыещз шы щзут"])
    def test_words_of_the_other_keyboard_layout_are_found(self, api: ApiClient, shop: Widget, question: str) -> None:
        temperature = rule(shop, "Keep the temp low.").content
        expected = {"ljcnfdrf": DELIVERY, "djpdhfn": RETURNS, "еуьз": temperature}
        assert contents(api, question)[0] == expected.get(question, HOURS if question[0] == "ы" else DELIVERY)

    @pytest.mark.parametrize(
        "question",
        ["космонавтика", "и в на the of", "ы", "\U0001f600" * 1_000, "'; DROP", "%_%", "a & !b | (c:*", "\\' ''"],
    )
    def test_nothing_in_common_is_nothing(self, api: ApiClient, question: str) -> None:
        assert contents(api, question) == []

    def test_a_title_counts_more(self, api: ApiClient, shop: Widget) -> None:
        rule(shop, "О гарантии сказано многое и подробно.", ref="manual:1")
        titled = rule(shop, "Здесь сказано многое и подробно.", title="Гарантия", ref="manual:2")
        assert search(api, "гарантия")["chunks"][0]["rule_id"] == titled.pk

    def test_a_rare_word_weighs_more(self, api: ApiClient, shop: Widget) -> None:
        for number in range(8):
            rule(shop, f"Букет номер {number} из сирени.", ref=f"manual:{number}")
        wanted = rule(shop, "Букет из эдельвейса.", ref="manual:x")
        assert search(api, "сирени букет номер эдельвейса", limit=20)["chunks"][0]["rule_id"] == wanted.pk

    def test_the_rivals_rules_are_not_found(self, api: ApiClient, rival: Rival) -> None:
        rule(rival.widget, "Орхидеи у соперника.")
        assert contents(api, "орхидеи архидеи") == []

    def test_a_rule_for_one_operator(self, api: ApiClient, shop: Widget) -> None:
        operator = AiAgentFactory.create(widget=shop)
        rule(shop, "Только для операторов: скидка секретная.", operator=operator)
        for question in ("секретная", "сикретная"):
            assert contents(api, question) == []
            assert len(contents(api, question, operator_id=operator.pk)) == 1


FIGURES = {
    "Артикул 07.4411.02 есть на складе.": ["07.4411.02", "07441102", "07 4411 02", "арт. 07-4411-02?"],
    "Насос AB-1234/5 качает воду.": ["AB-1234/5", "ab1234/5", "АВ-1234/5", "ab 1234/5", "AB12345"],
    "Горячая линия: 8 800 555-35-35.": ["88005553535", "+7 (800) 555-35-35", "8-800-555-35-35", "555-35-35"],
    "Набор стоит 1 490 рублей.": ["1490", "1 490", "1490,00", "1,490.00", "что за 1490р"],
    "Набор подороже стоит 149,99 рублей.": ["149.99", "149,99"],
    "Распродажа начнётся 15 декабря 2026.": ["15.12.2026", "2026-12-15", "15 дек", "December 15, 2026", "15.12"],
}
SPACELESS = {
    "退货政策：商品签收后七天内可以无理由退货。": ["退货", "怎么退货", "退货政策"],
    "北京市内订单三天送达。": ["北京多久送达", "送达北京要几天"],
    "返品は購入から七日以内に受け付けます。": ["返品したい", "返品"],
    "คืนสินค้าได้ภายในเจ็ดวัน": ["คืนสินค้า", "อยากคืนสินค้า"],
    "تكلفة التوصيل داخل المدينة ثلاثمئة.": ["توصيل", "للتوصيل", "كمتكلفةالتوصيل"],
}


class TestSpellings:
    @pytest.mark.parametrize(
        ("text", "question"), [(text, asked) for text, every in FIGURES.items() for asked in every]
    )
    def test_numbers_are_found_however_they_are_written(
        self, api: ApiClient, shop: Widget, text: str, question: str
    ) -> None:
        for known in FIGURES:
            rule(shop, known)
        assert contents(api, question)[:1] == [text]

    @pytest.mark.parametrize(
        ("text", "question"), [(text, asked) for text, every in SPACELESS.items() for asked in every]
    )
    def test_scripts_without_spaces_are_found_by_their_letters(
        self, api: ApiClient, shop: Widget, text: str, question: str
    ) -> None:
        for known in SPACELESS:
            rule(shop, known)
        assert contents(api, question)[:1] == [text]


class TestChoice:
    def test_a_search_finds_as_many_chunks_as_its_limit(self, api: ApiClient, shop: Widget) -> None:
        for number in range(12):
            rule(shop, f"Тюльпан {number}.", ref=f"manual:{number}")
        assert len(contents(api, "тюльпан")) == 8
        assert len(contents(api, "тюльпан", limit=1)) == 1
        assert len(contents(api, "тюльпан", limit=20)) == 12

    def test_rules_that_were_written_by_hand_are_sources_of_their_own(self, api: ApiClient, shop: Widget) -> None:
        for number in range(5):
            rule(shop, f"Тюльпан {number}.")
        assert len(contents(api, "тюльпан")) == 5

    def test_three_of_one_source_and_equal_content_once(self, api: ApiClient, shop: Widget) -> None:
        page = SourceFactory.create(widget=shop, ref="https://shop.example/", type="crawl")
        for number in range(5):
            RuleFactory.create(source=page, content=f"Тюльпан {number}.")
        for number in range(3):
            rule(shop, "Тюльпан везде.", ref=f"manual:{number}")
        found = contents(api, "тюльпан")
        assert len(found) == 4
        assert found.count("Тюльпан везде.") == 1

    def test_chunks_are_chosen_until_the_token_limit(self) -> None:
        texts = ["x" * 4_000, "y" * 8_000, "z"]
        made = [RuleCandidate(n, n, text, Ranks(None, n + 1, None), None) for n, text in enumerate(texts)]
        assert [one.content[0] for one in chosen(made, limit=8, max_tokens=3_000)] == ["x", "y"]
        assert [one.content[0] for one in chosen(made, limit=8, max_tokens=2_999)] == ["x"]
        assert [tokens_of(text) for text in ("", "a", "abcd", "abcde", "ё")] == [0, 1, 1, 2, 1]


@pytest.mark.usefixtures("embedding")
class TestHybrid:
    @pytest.fixture(autouse=True)
    def _by_meaning(self, api: ApiClient, vendor: Vendor, embedding: Any) -> None:
        vendor.answer = meanings
        for text in ("Розы есть.", "Чек храните.", "Прочее."):
            assert api.post("/kb/rules", json={"content": text}).status_code == 201

    def test_a_rule_is_found_by_its_meaning(self, api: ApiClient, vendor: Vendor) -> None:
        found = search(api, "какие цветы")
        assert found["retrieval"] == "hybrid"
        (chunk,) = found["chunks"]
        assert (chunk["content"], chunk["ranks"]) == ("Розы есть.", {"vector": 1, "text": None, "trigram": None})
        assert 0.9 < chunk["similarity"] < 1
        assert vendor.asked[-1].headers["x-service-purpose"] == "embedding"

    def test_a_distant_vector_is_not_found(self, api: ApiClient) -> None:
        assert "Розы есть." not in contents(api, "полярная ночь")

    @pytest.mark.parametrize("question", ["какие цветы", "чек", "розы и чеки", "космос", "чикк"])
    def test_the_preview_gives_what_the_bot_gets(self, api: ApiClient, shop: Widget, question: str) -> None:
        shown = search(api, question)["chunks"]
        given = retrieved(shop, question)
        assert [(one["rule_id"], one["content"], one["score"]) for one in shown] == [
            (one.id, one.content, one.score) for one in given.chunks
        ]
        assert given.status == ("included" if shown else "empty")

    def test_a_provider_that_fails(self, api: ApiClient, shop: Widget, vendor: Vendor) -> None:
        vendor.answer = lambda _: Says({}, status=500)
        refused = assert_problem(api.get("/kb/search", query={"q": "чек"}), 502, "kb_embed_provider_failed")
        assert refused["provider_reason"] == "server_error"
        given = retrieved(shop, "чек")
        assert (given.status, [one.content for one in given.chunks]) == ("included", ["Чек храните."])
        assert retrieved(shop, "космос").status == "empty"
        assert Alert.objects.for_widget(shop.pk).get().code == "kb_embedding_failed"

    def test_a_spent_meter_leaves_the_text(self, shop: Widget) -> None:
        meter = CallBudget(operations=0, seconds=45)
        given = retrieve(widget_id=shop.pk, assistant_id=1, operator_id=None, query="чек", language="ru", budget=meter)
        assert given.status == "included"

    def test_another_model_is_not_compared_with(
        self, api: ApiClient, shop: Widget, embedding: Any, vendor: Vendor
    ) -> None:
        type(embedding).objects.filter(pk=embedding.pk).update(embedding_model="e-2")
        asked = len(vendor.asked)
        assert search(api, "чек")["retrieval"] == "text"
        assert len(vendor.asked) == asked


class TestRefusals:
    @pytest.mark.parametrize(
        "query",
        [
            {},
            *[{"q": q} for q in ("", " ", "\u200b", "x" * 1_001)],
            *[{"q": "a", "limit": n} for n in ("0", "21", "x")],
        ],
    )
    def test_a_bad_query_of_the_search_is_422(self, api: ApiClient, query: dict[str, str]) -> None:
        assert_problem(api.get("/kb/search", query=query), 422, "invalid_input")

    def test_ids_of_others_are_404(self, api: ApiClient, shop: Widget, rival: Rival, alice: Agent) -> None:
        ours = AssistantFactory.create(widget=shop)
        theirs = AssistantFactory.create(widget=rival.widget)
        assert contents(api, "x", assistant_id=ours.pk) == []
        for query in (
            {"assistant_id": theirs.pk},
            {"operator_id": AiAgentFactory.create(widget=rival.widget).pk},
            {"operator_id": alice.pk},  # a person
        ):
            assert_problem(api.get("/kb/search", query={"q": "x", **query}), 404, "not_found")


def test_no_rules_no_knowledge(shop: Widget) -> None:
    assert retrieved(shop, "чек") == ("empty", ())


def test_a_search_is_two_statements_whatever_there_is(shop: Widget, knowledge: list[Rule]) -> None:
    def statements() -> int:
        with CaptureQueriesContext(
            connection,
        ) as captured:
            asked = asked_of(shop.pk, None, "доставка и возврат")
            assert asked is not None
            find(asked.query)
        return len([one for one in captured if "kb_" in one["sql"]])

    few = statements()
    for number in range(60):
        rule(shop, f"Доставка номер {number}", ref=f"manual:{number}")
    assert few == statements() == 2


def test_many_rules_are_not_looked_through_by_their_spelling() -> None:
    assert spellable("Дставка роз 15", rules=5_000) == ["дставка"]
    assert spellable("Дставка роз 15", rules=5_001) == []


@pytest.mark.usefixtures("embedding")
def test_the_vendor_of_vectors_reads_no_personal_data(api: ApiClient, vendor: Vendor) -> None:
    vendor.answer = meanings
    hotline = "Горячая линия: 8 800 555-35-35."
    assert api.post("/kb/rules", json={"content": hotline}).status_code == 201
    assert contents(api, "мне звонили с 88005553535, пишите на me@home.example") == [hotline]
    assert vendor.asked[-1].json["input"] == ["мне звонили с [PHONE], пишите на [EMAIL]"]


def test_an_empty_question_finds_nothing(shop: Widget, knowledge: list[Rule]) -> None:
    assert retrieved(shop, "") == ("empty", ())
