"""GET and PUT /v1/widget/questions, and the questions that visitors are served."""

from typing import Any

import pytest

from apps.accounts.actions.settings import change_settings
from apps.accounts.models import AuditEntry, Widget
from apps.chats.settings import SETTINGS, console_settings
from apps.widget.models import QuestionSet
from tests.client import ApiClient, assert_problem
from tests.rows import snapshot
from tests.widget.asking import CONSENT, EMAIL, ORDER, TOPIC, ask, question
from tests.widget.visitor import VisitorClient

pytestmark = pytest.mark.django_db

ROW = "/api/v1/widget/questions"
OPTIONS = TOPIC["options"]
UNNAMED = {"value": "", "label": {"en": "b"}}


def whole(**members: Any) -> dict[str, Any]:
    """A question as it is answered."""
    days = 365 if members["kind"] in ("name", "email", "phone") else 0
    return {"help": None, "required": False, "when": None, "options": [], "ask_again_days": days, **members}


class TestSet:
    def test_a_widget_that_never_had_any_asks_nothing(self, api: ApiClient) -> None:
        answer = api.get(ROW)
        assert (answer.status_code, answer.json()["data"]) == (200, {"is_on": False, "intro": None, "questions": []})

    def test_it_is_replaced_whole_and_what_is_answered_can_be_sent_again(self, api: ApiClient) -> None:
        api.put(ROW, json={"is_on": True, "intro": {"en": "Hello"}, "questions": [question("name")]})
        answer = api.put(ROW, json={"questions": [TOPIC, ORDER, EMAIL, CONSENT]})
        data = answer.json()["data"]
        expected = [whole(**each) for each in (TOPIC, ORDER, EMAIL, CONSENT)]
        assert (answer.status_code, data) == (200, {"is_on": False, "intro": None, "questions": expected})
        assert api.get(ROW).json()["data"] == data
        again = api.put(ROW, json=data)
        assert (again.status_code, again.json()["data"]) == (200, data)

    @pytest.mark.parametrize(
        ("questions", "path"),
        [
            ([question("name", key="Name")], "questions.0.key"),
            ([question("name", key="9lives")], "questions.0.key"),
            ([question("name", key="a" * 41)], "questions.0.key"),
            ([question("colour")], "questions.0.kind"),
            ([question("text", label={})], "questions.0.label"),
            ([question("text", label={"en": "x" * 201})], "questions.0.label.en"),
            ([question("text", label={"fr": "Salut"})], "questions.0.label.fr"),
            ([question("text", help={"en": "x" * 301})], "questions.0.help.en"),
            ([question("text", help={"en": "[a](javascript:alert(1))"})], "questions.0.help.en"),
            ([question("consent", label={"en": "[a](http://shop.example)"})], "questions.0.label.en"),
            ([question("text"), question("text")], "questions.1.key"),
            ([question("email"), question("email", key="other")], "questions.1.kind"),
            ([question("department"), question("department", key="other")], "questions.1.kind"),
            ([question("choice")], "questions.0.options"),
            ([question("choice", options=OPTIONS[:1])], "questions.0.options"),
            ([question("choice", options=OPTIONS * 11)], "questions.0.options"),
            ([question("choice", options=[OPTIONS[0], OPTIONS[0]])], "questions.0.options.1.value"),
            ([question("choice", options=[OPTIONS[0], UNNAMED])], "questions.0.options.1.value"),
            ([question("text", options=OPTIONS)], "questions.0.options"),
            ([question("text", ask_again_days=366)], "questions.0.ask_again_days"),
            ([ORDER], "questions.0.when.topic"),
            ([ORDER, TOPIC], "questions.0.when.topic"),
            ([TOPIC, {**ORDER, "when": {"topic": []}}], "questions.1.when.topic"),
            ([TOPIC, {**ORDER, "when": {"topic": ["else"]}}], "questions.1.when.topic.0"),
            ([question("yes_no"), question("text", when={"yes_no": [1]})], "questions.1.when.yes_no.0"),
            ([question("text", when=["topic"])], "questions.0.when"),
            ([question("text", required="yes")], "questions.0.required"),
            ([question("text", secret=1)], "questions.0.secret"),
            ([question("text", key=f"k{n}") for n in range(13)], "questions"),
        ],
    )  # fmt: skip
    def test_a_refusal_is_named_by_its_path_and_nothing_is_stored(
        self, api: ApiClient, shop: Widget, questions: list[dict[str, Any]], path: str
    ) -> None:
        ask(shop, EMAIL)
        before = snapshot()
        answer = api.put(ROW, json={"is_on": True, "questions": questions})
        assert_problem(answer, 422, "invalid_input")
        assert list(answer.json()["errors"]) == [path]
        assert snapshot() == before

    def test_languages_that_the_widget_does_not_support_are_refused(self, api: ApiClient) -> None:
        assert (
            api.patch("/api/v1/widget/settings", json={"widget_supported_languages": ["en", "ru"]}).status_code == 200
        )
        options = [OPTIONS[0], {"value": "b", "label": {"de": "Bestellung"}}]
        body = {"intro": {"de": "Hallo"}, "questions": [question("choice", options=options, help={"el": "ε"})]}
        answer = api.put(ROW, json=body)
        assert set(answer.json()["errors"]) == {"intro.de", "questions.0.help.el", "questions.0.options.1.label.de"}

    def test_the_most_is_taken(self, api: ApiClient) -> None:
        options = [{"value": str(n) * 50, "label": {"en": "x" * 200}} for n in range(10, 30)]
        long = question("choice", options=options, label={"en": "x" * 200}, help={"en": "x" * 300}, ask_again_days=365)
        questions = [{**long, "key": f"k{n}"} for n in range(12)]
        answer = api.put(ROW, json={"intro": {"en": "x" * 500}, "questions": questions})
        assert (answer.status_code, len(answer.json()["data"]["questions"])) == (200, 12)

    def test_operators_edit_the_attributes_by_the_questions_kinds_once_they_are_on(
        self, api: ApiClient, shop: Widget
    ) -> None:
        own = {"key": "order", "kind": "link", "choices": []}
        change_settings(SETTINGS, widget_id=shop.pk, changes={"attribute_kinds": [own]})
        kinds = ("long_text", "number", "date", "yes_no", "consent", "name", "department")
        body = {"questions": [TOPIC, ORDER, *(question(kind) for kind in kinds)]}
        api.put(ROW, json=body)
        assert console_settings(shop.pk).attribute_kinds == [own]
        api.put(ROW, json={**body, "is_on": True})
        declared = [own, {"key": "topic", "kind": "choice", "choices": ["order", "other"]}]
        others = (("long_text", "text"), ("number", "number"), ("date", "date"), ("yes_no", "boolean"))
        declared += [{"key": key, "kind": kind, "choices": []} for key, kind in others]
        assert console_settings(shop.pk).attribute_kinds == declared

    def test_who_changed_them_is_in_the_audit_trail(self, api: ApiClient, shop: Widget) -> None:
        api.put(ROW, json={"is_on": True, "questions": [TOPIC]})
        entries = AuditEntry.objects.filter(account_id=shop.account_id, content_type__model="questionset").order_by(
            "pk"
        )
        assert {"is_on", "questions"} <= entries.last().changes.keys()


class TestServed:
    def test_nothing_of_it_is_served_while_it_is_off(self, visitor: VisitorClient, shop: Widget) -> None:
        assert "questions" not in visitor.get("config").json()["data"]
        ask(shop, TOPIC, is_on=False)
        assert "questions" not in visitor.get("config").json()["data"]
        assert "known_answers" not in visitor.come()
        ask(shop)
        assert "questions" not in visitor.get("config").json()["data"]

    def test_each_text_is_the_visitors_else_the_fallbacks_else_the_first(
        self, api: ApiClient, visitor: VisitorClient, shop: Widget
    ) -> None:
        languages = {"widget_supported_languages": ["ru", "en", "de"], "widget_fallback_language": "en"}
        assert api.patch("/api/v1/widget/settings", json=languages).status_code == 200
        only_russian = question("text", label={"ru": "Только"}, help={"en": "Help", "ru": "Помощь"})
        ask(shop, TOPIC, only_russian, intro={"ru": "Привет", "de": "Hallo"})
        served = visitor.get("config?lang=de").json()["data"]["questions"]
        assert served["intro"] == "Hallo"
        assert [(each["label"], each["help"]) for each in served["questions"]] == [
            ("What is it about?", None),
            ("Только", "Help"),
        ]
        assert served["questions"][0] == {
            "key": "topic",
            "kind": "choice",
            "label": "What is it about?",
            "help": None,
            "required": True,
            "when": None,
            "options": [{"value": "order", "label": "An order"}, {"value": "other", "label": "Something else"}],
        }

    def test_another_widgets_are_not_served(self, shop: Widget, visitor: VisitorClient, rival: Any) -> None:
        ask(rival.widget, TOPIC)
        assert "questions" not in visitor.get("config").json()["data"]
        assert QuestionSet.objects.for_widget(shop.pk).count() == 0
