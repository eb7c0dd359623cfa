"""The cabinet's page of questions before a chat: a form that works without scripts, in Russian and English."""

import re
from typing import Any

import pytest
from django.test import Client

from apps.accounts.models import AuditEntry, Widget
from apps.agents.models import Department
from apps.widget.actions.settings import change_settings
from apps.widget.models import QuestionSet
from tests.cast import Rival, signed_in
from tests.factories import StaffFactory
from tests.widget.asking import CONSENT, EMAIL, ORDER, TOPIC, ask, question

pytestmark = pytest.mark.django_db


def page_of(widget: Widget) -> str:
    return f"/admin/widget/questionset/{widget.pk}/change/"


def text_of(answer: Any) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", answer.content.decode()))


def errors_of(answer: Any) -> list[str]:
    return re.findall(r'<p class="form-error" role="alert">([^<]*)</p>', answer.content.decode())


def form_of(content: str) -> dict[str, str]:
    """What a browser without scripts sends of the page's form as it stands."""
    form = content.partition("data-questions")[2].partition("</form>")[0]
    sent = {}
    for tag, name, rest in re.findall(r"<(input|textarea|select)[^>]* name=\"([^\"]+)\"((?:[^>]|\n)*?)>", form):
        if name == "csrfmiddlewaretoken":
            continue
        found = form.partition(f'name="{name}"')[2]
        if tag == "textarea":
            sent[name] = found.partition(">")[2].partition("</textarea>")[0].removeprefix("\n")
        elif tag == "select":
            options = found.partition("</select>")[0]
            chosen = re.search(r'value="([^"]*)" selected', options)
            sent[name] = chosen[1] if chosen else ""
        elif 'type="checkbox"' in form.rpartition(f'name="{name}"')[0].rpartition("<")[2]:
            if found.partition(">")[0].strip() == "checked":
                sent[name] = "on"
        else:
            value = re.search(r'value="([^"]*)"', rest)
            sent[name] = value[1] if value else ""
    return sent


@pytest.fixture
def russian(shop: Widget) -> Widget:
    languages = ["ru", "en"]
    changes = {
        "widget_supported_languages": languages,
        "widget_fallback_language": "ru",
        "widget_default_language": "ru",
    }
    change_settings(widget_id=shop.pk, changes=changes)
    return shop


@pytest.fixture
def clerk(russian: Widget) -> Client:
    """Somebody who manages the shop and reads Russian."""
    staff = StaffFactory.create(account=russian.account, role="manager")
    client = signed_in(staff)
    client.cookies["django_language"] = "ru"
    return client


THREE = {
    "is_on": "on",
    "q0_kind": "choice",
    "q0_label_ru": "О чём речь?",
    "q0_label_en": "What is it about?",
    "q0_options_ru": "Заказ\r\nДругое",
    "q0_options_en": "An order\r\nSomething else",
    "q0_required": "on",
    "q1_kind": "text",
    "q1_label_ru": "Номер заказа",
    "q1_if": "0",
    "q1_is": "Заказ",
    "q2_kind": "email",
    "q2_required": "on",
    "q2_days": "30",
}


class TestTheForm:
    def test_a_clerk_sets_up_three_questions_in_russian(self, clerk: Client, russian: Widget) -> None:
        page = clerk.get(page_of(russian))
        shown = text_of(page)
        for words in (
            "Вопросы перед чатом",
            "Посетителей ни о чём не спрашивают",
            "Задавать эти вопросы",
            "Ещё вопрос",
        ):
            assert words in shown
        assert clerk.post(page_of(russian), THREE).status_code == 302
        row = QuestionSet.objects.for_widget(russian.pk).get()
        assert row.is_on
        topic, order, mail = row.questions
        assert topic["options"] == [
            {"value": "Заказ", "label": {"ru": "Заказ", "en": "An order"}},
            {"value": "Другое", "label": {"ru": "Другое", "en": "Something else"}},
        ]
        assert (topic["key"], topic["required"], topic["ask_again_days"]) == ("o_chem_rech", True, 0)
        assert (order["key"], order["when"], order["required"]) == ("nomer_zakaza", {"o_chem_rech": ["Заказ"]}, False)
        assert (mail["key"], mail["label"], mail["ask_again_days"]) == ("email", {"ru": "Ваша почта"}, 30)
        told = text_of(clerk.get(page_of(russian)))
        assert "Посетителей спрашивают" in told
        assert "О чём речь?: выбор из списка, обязательно" in told
        assert "Номер заказа: короткий текст, только если «О чём речь?» — Заказ" in told
        assert "Ваша почта: почта посетителя, обязательно, спросить снова через 30 дней" in told

    def test_a_form_that_is_sent_as_it_stands_changes_nothing(self, clerk: Client, russian: Widget) -> None:
        yes = question("yes_no", label={"ru": "Срочно?"})
        late = question("long_text", label={"ru": "Почему?"}, when={"yes_no": [True]}, help={"ru": "Коротко"})
        ask(
            russian,
            TOPIC,
            {**ORDER, "ask_again_days": 7},
            EMAIL,
            CONSENT,
            yes,
            late,
            intro={"ru": "Привет", "en": "Hi"},
        )
        before = QuestionSet.objects.for_widget(russian.pk).values().get()
        form = form_of(clerk.get(page_of(russian)).content.decode())
        assert form["q1_is"] == "order"
        assert errors_of(clerk.post(page_of(russian), form)) == []
        assert QuestionSet.objects.for_widget(russian.pk).values().get() == before

    def test_several_conditions_of_the_api_stay(self, clerk: Client, russian: Widget) -> None:
        both = question("text", when={"topic": ["order"], "yes_no": [True]})
        ask(russian, TOPIC, question("yes_no"), both)
        content = clerk.get(page_of(russian)).content.decode()
        assert "У вопроса несколько условий" in content
        form = form_of(content) | {"q2_more": '{"topic": ["order"], "yes_no": [true]}'}
        assert errors_of(clerk.post(page_of(russian), form)) == []
        assert QuestionSet.objects.for_widget(russian.pk).get().questions[2]["when"] == both["when"]

    def test_the_order_is_by_place_and_a_question_without_an_answer_goes(self, clerk: Client, russian: Widget) -> None:
        ask(russian, question("text"), question("number"), question("date"))
        form = form_of(clerk.get(page_of(russian)).content.decode()) | {"q0_number": "9", "q1_kind": ""}
        assert clerk.post(page_of(russian), form).status_code == 302
        kinds = [each["kind"] for each in QuestionSet.objects.for_widget(russian.pk).get().questions]
        assert kinds == ["date", "text"]

    def test_a_condition_on_a_department_names_it(self, clerk: Client, russian: Widget, sales: Department) -> None:
        form = {"q0_kind": "department", "q1_kind": "text", "q1_label_ru": "Что?", "q1_if": "0", "q1_is": sales.name}
        assert clerk.post(page_of(russian), form).status_code == 302
        row = QuestionSet.objects.for_widget(russian.pk).get()
        assert row.questions[1]["when"] == {"department": [sales.pk]}
        assert row.questions[0]["label"] == {"ru": "Кому вы хотите написать?"}


class TestRefused:
    @pytest.mark.parametrize(
        ("changes", "words"),
        [
            ({"q0_options_ru": "Заказ", "q0_options_en": ""}, "У выбора от 2 до 20 вариантов, по одному в строке."),
            ({"q0_options_ru": "Заказ\nЗаказ", "q0_options_en": "", "q1_if": ""}, "Два варианта одинаковы."),
            ({"q1_label_ru": ""}, "Напишите вопрос."),
            ({"q1_is": "Возврат"}, "В условии назван ответ, которого у вопроса нет."),
            ({"q1_is": ""}, "Укажите, при каком ответе задавать этот вопрос."),
            ({"q1_number": "1", "q0_number": "2"}, "Условие ссылается на вопрос, который идёт позже или которого нет."),
            ({"q1_key": "Номер"}, "Имя для данных состоит из строчных латинских букв, цифр и _ и начинается с буквы."),
            ({"q2_days": "400"}, "Дней может быть от 0 до 365."),
            ({"q2_days": "soon"}, "Дней может быть от 0 до 365."),
            ({"q1_kind": "email"}, "Такой вопрос уже есть: его задают один раз."),
            ({"q1_help_ru": "[ссылка](http://shop.example)"}, "Ссылка начинается с https://."),
            ({"q1_key": "email"}, "У двух вопросов одно имя для данных."),
        ],
    )
    def test_it_is_said_at_the_question_in_russian_and_nothing_is_lost(
        self, clerk: Client, russian: Widget, changes: dict[str, str], words: str
    ) -> None:
        answer = clerk.post(page_of(russian), THREE | {"q2_key": "email"} | changes)
        assert (answer.status_code, errors_of(answer)) == (200, [words])
        assert "Номер заказа" in answer.content.decode() or "q1_label_ru" in changes
        assert not QuestionSet.objects.exists()

    def test_viewers_read_and_others_see_nothing(self, russian: Widget, rival: Rival) -> None:
        ask(russian, TOPIC)
        viewer = signed_in(StaffFactory.create(account=russian.account, role="viewer"))
        page = viewer.get(page_of(russian))
        assert (page.status_code, "data-questions" in page.content.decode()) == (200, False)
        assert "choice from a list" in text_of(page)
        before = QuestionSet.objects.values().get()
        assert viewer.post(page_of(russian), THREE).status_code == 403
        stranger = signed_in(StaffFactory.create(account=rival.widget.account, role="manager"))
        assert stranger.get(page_of(russian)).status_code == 404
        assert stranger.post(page_of(russian), THREE).status_code == 404
        assert QuestionSet.objects.values().get() == before


def test_the_list_leads_to_the_page_and_the_change_is_in_the_trail(cabinet: Client, shop: Widget) -> None:
    assert cabinet.get("/admin/widget/questionset/").headers["Location"] == page_of(shop)
    assert cabinet.post(page_of(shop), {"is_on": "on", "q0_kind": "name"}).status_code == 302
    assert QuestionSet.objects.for_widget(shop.pk).get().questions[0]["label"] == {"en": "Your name"}
    assert AuditEntry.objects.filter(content_type__model="questionset").exists()
