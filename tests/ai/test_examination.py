"""The examination: questions made of the owner's pages, and answers that are known where they rest on those."""

import json
from typing import Any

import pytest
from django.test import Client

from apps.accounts.models import Widget
from apps.ai.actions.evaluation_cases import change_case
from apps.ai.actions.evaluations import run_now, start_evaluation
from apps.ai.actions.examination import prepare_examination
from apps.ai.models import Assistant, EvaluationCase, EvaluationResult, EvaluationRun
from apps.ai.rules.examination import (
    MOST_QUESTIONS,
    PageExcerpt,
    as_question,
    questions_of_headings,
    read_questions,
    spread,
)
from apps.demo.servers.language_models import Vendor, all_words, chat, last_words
from apps.demo.servers.played import PlayedRequest
from apps.kb.models import Source
from tests.ai.desk import Desk
from tests.cast import signed_in
from tests.factories import StaffFactory
from tests.factories.ai import AssistantFactory
from tests.factories.kb import RuleFactory, SourceFactory

PAGES = {
    "Доставка": "Доставка по городу стоит 300 рублей, букеты привозит курьер в течение двух часов.",
    "Оплата": "Оплатить заказ можно картой, наличными курьеру или по счёту для организаций.",
    "Уход за розами": "Подрезайте стебли под углом, меняйте воду каждый день, уберите букет от батареи.",
}


@pytest.fixture
def owner(shop: Widget) -> Client:
    return signed_in(StaffFactory.create(account=shop.account, role="owner"))


@pytest.fixture
def informed(desk: Desk) -> Desk:
    """The desk of a shop with three pages, each a source."""
    for title, text in PAGES.items():
        source = SourceFactory.create(
            widget=desk.widget,
            type="crawl",
            ref=f"crawl:{title}",
            title=title,
            url=f"https://shop.example/{len(title)}",
        )
        RuleFactory.create(source=source, title=title, content=text)
    return desk


def examination_of(widget: Widget) -> str:
    return f"/admin/ai/aisettings/{widget.pk}/examine/"


def examined(desk: Desk, owner: Client, answer: Any) -> dict[str, dict[str, Any]]:
    """The rows of the page by their question, once a vendor has answered each question with `answer`'s words."""
    desk.vendor.answer = lambda _: chat("no list")
    assistant = Assistant.objects.for_widget(desk.widget.pk).get()
    prepare_examination(assistant=assistant)
    desk.vendor.answer = lambda request: chat(answer(request))
    run_now(start_evaluation(assistant=assistant, held=True))
    page = owner.get(examination_of(desk.widget))
    assert page.context["known"] == sum(row["is_known"] for row in page.context["rows"])
    return {row["question"]: row for row in page.context["rows"]}


def of_its_page(request: PlayedRequest) -> str:
    """An answer in other words to each question."""
    question = last_words(request).casefold()
    if "доставка" in question:
        return "Курьер привезёт букет в течение двух часов, это стоит 300 ₽."
    if "оплата" in question:
        return "Принимаем карты и наличные, организациям выставим счёт."
    return "Каждый день меняйте воду и подрезайте стебли."


class TestAnswers:
    def test_an_answer_that_rests_on_its_page_is_known_and_what_stands_there_is_shown(
        self, informed: Desk, owner: Client
    ) -> None:
        rows = examined(informed, owner, of_its_page)
        assert len(rows) == 3
        assert all(row["is_known"] for row in rows.values())
        (delivery,) = (row for question, row in rows.items() if "доставка" in question.casefold())
        assert delivery["stands"]["text"] == PAGES["Доставка"]
        assert delivery["sources"] == [{"title": "Доставка", "url": "https://shop.example/8"}]
        shown = owner.get(examination_of(informed.widget)).content.decode()
        assert PAGES["Доставка"] in shown
        assert set(EvaluationResult.objects.values_list("verdict", flat=True)) == {"right"}

    def test_the_same_sentence_of_one_page_is_known_for_no_other(self, informed: Desk, owner: Client) -> None:
        rows = examined(informed, owner, lambda _: PAGES["Уход за розами"])
        known = [question for question, row in rows.items() if row["is_known"]]
        assert len(known) == 1
        assert "уход за розами" in known[0].casefold()
        assert sorted(EvaluationResult.objects.values_list("verdict", flat=True)) == ["right", "wrong", "wrong"]
        assert EvaluationResult.objects.filter(verdict="wrong").first().faults == [["ungrounded", ""]]

    @pytest.mark.parametrize(
        "said",
        [
            lambda request: last_words(request),
            lambda request: f"Вы спросили: {last_words(request)}",
            lambda _: "Да.",
            lambda _: "С радостью помогу вам с любым вопросом!",
            lambda _: "К сожалению, я этого не знаю.",
            lambda _: "К сожалению, я не знаю. Доставка по городу стоит 300 рублей.",
        ],
    )
    def test_an_echo_a_courtesy_and_a_refusal_are_no_answers_and_have_no_sources(
        self, informed: Desk, owner: Client, said: Any
    ) -> None:
        rows = examined(informed, owner, said)
        assert [(row["is_known"], row["sources"]) for row in rows.values()] == [(False, [])] * 3

    def test_what_else_is_not_known_takes_nothing_from_an_answer(self, informed: Desk, owner: Client) -> None:
        rows = examined(informed, owner, lambda request: f"{of_its_page(request)} О праздниках информации нет.")
        assert all(row["is_known"] for row in rows.values())

    def test_a_page_that_changed_is_compared_as_it_is_now(self, informed: Desk, owner: Client) -> None:
        informed.vendor.answer = lambda _: chat("no list")
        assistant = Assistant.objects.for_widget(informed.widget.pk).get()
        prepare_examination(assistant=assistant)
        source = Source.objects.for_widget(informed.widget.pk).get(title="Доставка")
        source.rules.all().delete()
        RuleFactory.create(source=source, title="Доставка", content="Доставка по городу стоит 450 рублей.")
        rows = examined(informed, owner, lambda _: "Она обойдётся в 450 рублей.")
        assert [row["is_known"] for question, row in rows.items() if "доставка" in question.casefold()] == [True]

    def test_another_question_of_a_person_is_made_of_no_piece(self, informed: Desk) -> None:
        informed.vendor.answer = lambda _: chat("no list")
        prepare_examination(assistant=Assistant.objects.for_widget(informed.widget.pk).get())
        case = EvaluationCase.objects.for_widget(informed.widget.pk).first()
        assert case.piece
        change_case(widget_id=informed.widget.pk, case_id=case.pk, changes={"must": ["300"]})
        case.refresh_from_db()
        assert case.piece
        change_case(widget_id=informed.widget.pk, case_id=case.pk, changes={"question": "Есть ли пионы?"})
        case.refresh_from_db()
        assert (case.piece, case.piece_ref) == ("", "")


class TestPage:
    def test_without_a_key_found_passages_are_shown_as_what_they_are(self, owner: Client, shop: Widget) -> None:
        source = SourceFactory.create(widget=shop)
        RuleFactory.create(source=source, title="Доставка", content="Доставка стоит 300 рублей.")
        (row,) = owner.get(examination_of(shop)).context["rows"]
        assert (row["answer"], row["is_known"]) == ("", True)
        assert row["stands"]["text"] == "Доставка стоит 300 рублей."

    def test_a_heading_that_finds_another_page_is_not_known(self, owner: Client, shop: Widget) -> None:
        tea = SourceFactory.create(widget=shop, ref="tea", title="Чай")
        RuleFactory.create(source=tea, title="Чай", content="Подскажите нам, пожалуйста, как у вас дела с чаем.")
        plain = SourceFactory.create(widget=shop, ref="trees", title="Деревья")
        RuleFactory.create(source=plain, title="Яблони", content="Сажают осенью.")
        rows = {row["question"]: row for row in owner.get(examination_of(shop)).context["rows"]}
        assert len(rows) == 2
        for row in rows.values():
            own = "Чай" if "чай" in row["question"].casefold() else "Яблони"
            assert row["is_known"] == (own in [source["title"] for source in row["sources"]])

    def test_pages_without_a_heading_say_so(self, owner: Client, shop: Widget) -> None:
        RuleFactory.create(source=SourceFactory.create(widget=shop, type="manual"), title="", content="По 90 рублей.")
        page = owner.get(examination_of(shop), headers={"Accept-Language": "en"})
        assert page.context["rows"] == []
        assert "No heading of your pages makes a question." in page.content.decode()

    def test_a_model_makes_the_questions_and_answers_them(self, owner: Client, desk: Desk, vendor: Vendor) -> None:
        shop = desk.widget
        RuleFactory.create(source=SourceFactory.create(widget=shop), title="Цены", content="Тюльпаны по 90 рублей.")
        vendor.answer = lambda _: chat(json.dumps(["Сколько стоят тюльпаны?", "Сколько стоят тюльпаны?"]))
        assert owner.post(examination_of(shop)).status_code == 302
        case = EvaluationCase.objects.for_widget(shop.pk).get()
        assert (case.question, case.piece) == ("Сколько стоят тюльпаны?", "Тюльпаны по 90 рублей.")
        assert EvaluationRun.objects.for_widget(shop.pk).get().cases == 1
        assert '"passage": 1' in all_words(vendor.asked[-1])

    def test_a_model_that_answers_no_list_leaves_the_headings(self, desk: Desk, vendor: Vendor) -> None:
        RuleFactory.create(source=SourceFactory.create(widget=desk.widget), title="Цены", content="По 90 рублей.")
        vendor.answer = lambda _: chat("Вот вопросы!")
        assistant = Assistant.objects.for_widget(desk.widget.pk).get()
        assert prepare_examination(assistant=assistant) == 1
        assert prepare_examination(assistant=assistant) == 0
        case = EvaluationCase.objects.for_widget(desk.widget.pk).get()
        assert case.question == "Подскажите, пожалуйста, как у вас с этим: Цены?"

    def test_what_is_not_known_leads_to_an_empty_rule_with_the_question_beside_it(
        self, owner: Client, shop: Widget
    ) -> None:
        assistant = AssistantFactory.create(widget=shop)
        run = EvaluationRun.objects.create(widget=shop, assistant=assistant, cases=1, state="finished")
        told = {"question": "Есть ли пионы?", "expects": "answer", "outcome": "refusal"}
        EvaluationResult.objects.create(run=run, case_id=1, verdict="wrong", change="new", **told)
        (row,) = owner.get(examination_of(shop)).context["rows"]
        assert (row["is_known"], row["question"]) == (False, "Есть ли пионы?")
        page = owner.get(row["rule"])
        assert (page.status_code, page.context["form"]["content"].value()) == (200, None)
        assert "Есть ли пионы?" in page.content.decode()


class TestQuestions:
    def test_pages_are_of_as_many_documents_as_there_are(self) -> None:
        pages = [PageExcerpt(document, f"{document}.{place}", "") for document in range(3) for place in range(9)]
        assert [page.title for page in spread(pages, 5)] == ["0.0", "1.0", "2.0", "0.1", "1.1"]
        assert len(spread(pages, MOST_QUESTIONS)) == 12

    @pytest.mark.parametrize(
        ("page", "question"),
        [
            (PageExcerpt(1, "Delivery", "The delivery costs 3."), "What should I know about delivery?"),
            (PageExcerpt(1, "Delivery", "## In town\nWhat it costs: 3."), "What should I know about In town?"),
            (PageExcerpt(1, "What does it cost?", "3."), "What does it cost?"),
            (PageExcerpt(1, "How to order", "By phone."), "How to order?"),
            (PageExcerpt(1, "Lieferung", "Wir liefern in drei Tagen."), "Was muss ich zum Thema Lieferung wissen?"),
            (
                PageExcerpt(1, "Доставка — Липа › Доставка › Сроки", "Наши сроки: два дня. Эти сроки твёрдые, а сроки"),
                "Подскажите, пожалуйста, как у вас с этим: сроки?",
            ),
            (PageExcerpt(1, "Главная › О нас", "Мы продаём чай."), ""),
            (PageExcerpt(1, "Липа › Чай › О нас", "Мы пьём чай."), "Подскажите, пожалуйста, как у вас с этим: чай?"),
            (PageExcerpt(1, "Home", "We sell tea."), ""),
            (PageExcerpt(1, "Über uns", "Wir verkaufen Tee."), ""),
            (PageExcerpt(1, "", "It costs 3. More below."), ""),
        ],
    )
    def test_the_last_heading_that_says_something_becomes_a_sentence(self, page: PageExcerpt, question: str) -> None:
        assert as_question(page) == question

    def test_the_sites_name_is_no_subject(self) -> None:
        pages = [
            PageExcerpt(number, f"{title} — Липа", "Текст.") for number, title in enumerate(("Оплата", "Чай", "Липа"))
        ]
        asked = [one.text.rpartition(": ")[2] for one in questions_of_headings(pages)]
        assert asked == ["Оплата?", "Чай?"]

    @pytest.mark.parametrize(
        ("reply", "questions"),
        [
            ('["a?", "b?"]', ["a?", "b?"]),
            ('```json\n["a?", 3, "", "a?"]\n```', ["a?"]),
            ('[{"passage": 2, "question": "a?"}, {"passage": true, "question": "b?"}, {"question": 3}]', ["a?", "b?"]),
            ("[", []),
            ("no", []),
            ("[nonsense]", []),
            (json.dumps(["x" * 301]), []),
            (json.dumps([str(number) for number in range(20)]), [str(number) for number in range(12)]),
        ],
    )
    def test_a_models_reply_is_read_carefully(self, reply: str, questions: list[str]) -> None:
        pages = [PageExcerpt(1, "Чай", ""), PageExcerpt(2, "Кофе", "")]
        assert [one.text for one in read_questions(reply, pages)] == questions
        assert read_questions(reply, []) == []

    def test_a_question_is_of_the_passage_that_it_names_or_shares_words_with(self) -> None:
        pages = [PageExcerpt(1, "Чай", "Зелёный чай."), PageExcerpt(2, "Доставка", "Доставка два дня.")]
        reply = json.dumps(["Сколько идёт доставка?", {"passage": 2, "question": "Есть чай?"}, "Что ещё?"])
        assert [one.page.document for one in read_questions(reply, pages)] == [2, 2, 1]
