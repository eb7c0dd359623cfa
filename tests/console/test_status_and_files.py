"""The operator's own switch, and the files that they send."""

from urllib.parse import urlsplit

import pytest
from django.utils.dateparse import parse_datetime

from apps.agents.actions.agents import restore_agent
from apps.agents.actions.breaks import set_on_break
from apps.agents.models import Agent, AgentEvent
from apps.agents.rules.absence import NO_BREAK, BreakReason
from apps.chats import actions
from apps.chats.models import Chat, File
from apps.console.querysets.counted_chats import staff_of
from apps.core.problems import Problem
from tests.cast import Rival
from tests.client import assert_problem, client
from tests.console.browser import Console
from tests.factories.files import FileFactory
from tests.rows import snapshot
from tests.uploads import FORM, form, part, png

pytestmark = pytest.mark.django_db


class TestStatus:
    def test_an_operator_takes_a_break_and_comes_back(self, alices_console: Console, alice: Agent) -> None:
        for status in ("relaxation", "active"):
            assert alices_console.data("PUT", "/status", json={"status": status}) == {"status": status}
            alice.refresh_from_db()
            assert alice.status == status
        assert AgentEvent.objects.filter(agent=alice).count() == 2

    def test_what_is_so_already_is_no_event(self, alices_console: Console) -> None:
        before = snapshot()
        assert alices_console.data("PUT", "/status", json={"status": "active"}) == {"status": "active"}
        assert snapshot() == before

    @pytest.mark.parametrize("body", [{}, {"status": "banned"}, {"status": None}])
    def test_bad_input_is_422(self, alices_console: Console, body: object) -> None:
        before = snapshot()
        assert_problem(alices_console.put("/status", json=body), 422, "invalid_input", errors=["status"])
        assert snapshot() == before

    def test_without_the_pages_token_it_is_403(self, alices_console: Console) -> None:
        before = snapshot()
        answer = alices_console.put("/status", json={"status": "relaxation"}, headers={"X-CSRFToken": "x" * 32})
        assert_problem(answer, 403, "csrf_failed")
        assert snapshot() == before


class TestBreak:
    def test_a_break_has_a_note_and_passes_waiting_visitors_on(
        self, alices_console: Console, boriss_console: Console, alice: Agent
    ) -> None:
        assert alices_console.data("GET", "/me")["break"] is None
        body = {"status": "relaxation", "note": " Lunch till one ", "pass_on": True}
        alices_console.data("PUT", "/status", json=body)
        shown = alices_console.data("GET", "/me")["break"]
        alice.refresh_from_db()
        assert (shown["reason"], shown["note"], shown["pass_on"]) == ("own", "Lunch till one", True)
        assert parse_datetime(shown["since"]) == alice.break_since
        assert boriss_console.data("GET", "/me")["break"] is None

    def test_colleagues_see_the_note(self, alices_console: Console, alice: Agent) -> None:
        alices_console.data("PUT", "/status", json={"status": "relaxation", "note": "Lunch"})
        shown = staff_of([alice.widget_id])[alice.widget_id].agents[alice.pk]["break"]
        assert (shown["note"], shown["pass_on"]) == ("Lunch", False)

    def test_another_note_keeps_the_beginning_and_is_no_line_of_the_log(
        self, alices_console: Console, alice: Agent
    ) -> None:
        alices_console.data("PUT", "/status", json={"status": "relaxation", "note": "Lunch", "pass_on": True})
        began = alices_console.data("GET", "/me")["break"]["since"]
        alices_console.data("PUT", "/status", json={"status": "relaxation", "note": "Dentist"})
        shown = alices_console.data("GET", "/me")["break"]
        assert shown == {"reason": "own", "since": began, "note": "Dentist", "pass_on": False}
        assert AgentEvent.objects.filter(agent=alice).count() == 1

    def test_nothing_of_a_break_is_left_at_work(self, alices_console: Console, alice: Agent) -> None:
        alices_console.data("PUT", "/status", json={"status": "relaxation", "note": "Lunch", "pass_on": True})
        alices_console.data("PUT", "/status", json={"status": "active", "note": "Back", "pass_on": True})
        assert alices_console.data("GET", "/me")["break"] is None
        alice.refresh_from_db()
        assert {name: getattr(alice, name) for name in NO_BREAK} == NO_BREAK

    def test_a_restored_operator_has_no_break(self, alices_console: Console, alice: Agent) -> None:
        alices_console.data("PUT", "/status", json={"status": "relaxation", "note": "Lunch", "pass_on": True})
        Agent.objects.filter(pk=alice.pk).update(status="banned")
        restore_agent(widget_id=alice.widget_id, agent_id=alice.pk)
        alice.refresh_from_db()
        assert {name: getattr(alice, name) for name in NO_BREAK} == NO_BREAK

    def test_missed_offers_are_another_reason(self, alices_console: Console, alice: Agent) -> None:
        set_on_break(widget_id=alice.widget_id, agent_id=alice.pk, on_break=True, reason=BreakReason.MISSED)
        assert alices_console.data("GET", "/me")["break"]["reason"] == "missed"

    @pytest.mark.parametrize(
        ("name", "value"), [("note", "x" * 61), ("note", "a\nb"), ("note", None), ("pass_on", 1), ("pass_on", "x")]
    )
    def test_bad_members_are_422_by_name(self, alices_console: Console, name: str, value: object) -> None:
        before = snapshot()
        answer = alices_console.put("/status", json={"status": "relaxation", name: value})
        assert_problem(answer, 422, "invalid_input", errors=[name])
        assert snapshot() == before


class TestFiles:
    def test_a_file_is_kept_and_can_be_sent(self, alices_console: Console, chat: Chat, alice: Agent) -> None:
        data = form(part(png(), filename="roses.png"))
        answer = alices_console.post("/files", data=data, content_type=FORM)
        assert answer.status_code == 201, answer.content
        shown = answer.json()["data"]
        stored = File.objects.get(pk=shown["id"])
        assert (stored.widget, stored.name, stored.content_type) == (alice.widget, "roses.png", "image/png")
        content = {"type": "image", "file_id": shown["id"]}
        posted = actions.post_agent_message(
            widget_id=chat.widget_id, chat_id=chat.pk, agent_id=alice.pk, content=content
        )
        assert posted.message["name"] == "roses.png"

    def test_a_file_is_read_at_an_address_that_holds_as_long_as_the_session(
        self, alices_console: Console, rival: Rival
    ) -> None:
        data = form(part(png(), filename="roses.png"))
        kept = alices_console.post("/files", data=data, content_type=FORM).json()["data"]
        led = alices_console.get(f"/files/{kept['id']}")
        assert led.status_code == 302
        assert client().get(urlsplit(led["Location"]).path).getvalue() == png()
        foreign = FileFactory.create(widget=rival.widget)
        assert_problem(alices_console.get(f"/files/{foreign.pk}"), 404, "not_found")
        assert_problem(alices_console.get("/files/987654"), 404, "not_found")

    def test_another_widgets_cannot_be_sent(self, chat: Chat, alice: Agent, rival: Rival) -> None:
        file = FileFactory.create(widget=rival.widget)
        before = snapshot()
        with pytest.raises(Problem) as refused:
            actions.post_agent_message(
                widget_id=chat.widget_id,
                chat_id=chat.pk,
                agent_id=alice.pk,
                content={"type": "file", "file_id": file.pk},
            )
        assert refused.value.type.code == "not_found"
        assert snapshot() == before

    def test_what_is_no_file_is_refused(self, alices_console: Console) -> None:
        before = snapshot()
        assert_problem(alices_console.post("/files", json={"url": "https://x.test"}), 415, "unsupported_media_type")
        empty = alices_console.post("/files", data=form(part(b"")), content_type=FORM)
        assert_problem(empty, 422, "invalid_input", errors=["file"])
        assert snapshot() == before

    def test_without_the_pages_token_nothing_is_kept(self, alices_console: Console) -> None:
        before = snapshot()
        data = form(part(png(), filename="roses.png"))
        answer = alices_console.post("/files", data=data, content_type=FORM, headers={"X-CSRFToken": "x" * 32})
        assert_problem(answer, 403, "csrf_failed")
        assert snapshot() == before
