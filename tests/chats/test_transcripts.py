"""Transcripts (specification, Endpoints, "Chats and messages", rule 4, and "Limits")."""

import re
import tracemalloc
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.db import connection
from hypothesis import given
from hypothesis import strategies as st

from apps.accounts.models import Widget
from apps.agents.models import Agent
from apps.chats import actions
from apps.chats.models import Chat, Contact, Message
from apps.chats.querysets import transcripts
from apps.chats.rules.transcripts import (
    INDENT,
    MARKER,
    MAX_BYTES,
    MAX_MESSAGES,
    TranscriptEntry,
    TranscriptExport,
    lines_of,
)
from tests.client import ApiClient, assert_problem
from tests.factories import DepartmentFactory, MessageFactory

NOON = datetime(2026, 11, 21, 10, 45, tzinfo=UTC)
HEAD = "[2026-11-21 13:45:00]"
HOSTILE = f"hello\n{HEAD} Alice Weber: I promise a refund"


def read(api: ApiClient, chat: Chat) -> bytes:
    answer = api.get(f"/chats/{chat.pk}/transcript")
    assert answer.status_code == 200, answer.getvalue()
    return bytes(answer.getvalue())


def lines(api: ApiClient, chat: Chat) -> list[str]:
    text = read(api, chat).decode()
    assert not text or text.endswith("\n")
    return text.split("\n")[:-1]


def say(chat: Chat, **fields: Any) -> Message:
    return MessageFactory.create(chat=chat, **{"created_at": NOON, **fields})


class TestAnswer:
    def test_headers_to_the_letter(self, api: ApiClient, chat: Chat) -> None:
        say(chat)
        answer = api.get(f"/chats/{chat.pk}/transcript")
        assert answer.streaming
        assert answer.headers["Content-Type"] == "text/plain; charset=UTF-8"
        assert answer.headers["Content-Disposition"] == f'attachment; filename="chat-{chat.pk}-transcript.txt"'
        assert "Content-Length" not in answer.headers
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
        assert int(answer.headers["X-RateLimit-Remaining"]) < int(answer.headers["X-RateLimit-Limit"])
        assert answer.headers["X-Request-Id"]

    def test_utf_8_without_a_byte_order_mark(self, api: ApiClient, chat: Chat) -> None:
        say(chat, body="Ёлка 🎄")
        content = read(api, chat)
        assert content.startswith(b"[2026")
        assert "Ёлка 🎄".encode() in content

    def test_a_chat_without_messages_is_an_empty_file(self, api: ApiClient, chat: Chat) -> None:
        assert read(api, chat) == b""

    def test_it_takes_no_parameters(self, api: ApiClient, chat: Chat) -> None:
        answer = api.get(f"/chats/{chat.pk}/transcript", query={"limit": "1"})
        assert_problem(answer, 422, "invalid_input", errors=["limit"])

    def test_a_chat_of_an_internal_department_is_403(self, api: ApiClient, shop: Widget, chat: Chat) -> None:
        chat.department = DepartmentFactory.create(widget=shop, internal=True)
        chat.internal = True
        chat.save(update_fields=["department", "internal"])
        say(chat)
        assert_problem(api.get(f"/chats/{chat.pk}/transcript"), 403, "internal_room")

    def test_what_colleagues_talked_of_stays_theirs_when_the_chat_leaves_their_department(
        self, api: ApiClient, shop: Widget, chat: Chat
    ) -> None:
        colleagues, sales = DepartmentFactory.create(widget=shop, internal=True), DepartmentFactory.create(widget=shop)
        say(chat)
        about = {"widget_id": shop.pk, "chat_id": chat.pk}
        for department in (colleagues, sales):
            actions.transfer_chat_to_department(**about, department_id=department.pk)
            assert_problem(api.get(f"/chats/{chat.pk}/transcript"), 403, "internal_room")

    def test_and_when_the_department_is_deleted(self, api: ApiClient, shop: Widget, chat: Chat) -> None:
        colleagues = DepartmentFactory.create(widget=shop, internal=True)
        actions.transfer_chat_to_department(widget_id=shop.pk, chat_id=chat.pk, department_id=colleagues.pk)
        say(chat)
        assert api.delete(f"/departments/{colleagues.pk}").status_code == 204
        assert_problem(api.get(f"/chats/{chat.pk}/transcript"), 403, "internal_room")

    def test_another_department_is_no_obstacle(self, api: ApiClient, shop: Widget, chat: Chat) -> None:
        chat.department = DepartmentFactory.create(widget=shop)
        chat.save(update_fields=["department"])
        assert read(api, chat) == b""

    def test_anothers_chat_is_404_internal_or_not(self, api: ApiClient, rival: Any) -> None:
        for department in (None, DepartmentFactory.create(widget=rival.widget, internal=True)):
            rival.chat.department = department
            rival.chat.save(update_fields=["department"])
            assert_problem(api.get(f"/chats/{rival.chat.pk}/transcript"), 404, "not_found")


class TestLines:
    def test_oldest_first_with_time_and_name(self, api: ApiClient, chat: Chat, alice: Agent) -> None:
        say(chat, body="Здравствуйте!")
        say(chat, body="Hello!", agent=alice, created_at=NOON + timedelta(seconds=5))
        assert lines(api, chat) == [
            "[2026-11-21 13:45:00] Иван Петров: Здравствуйте!",
            "[2026-11-21 13:45:05] Alice Weber: Hello!",
        ]

    @pytest.mark.parametrize(
        ("kind", "name"),
        [
            ("agent", "Оператор"),
            ("ai", "Оператор (AI)"),
            ("external_operator", "Оператор (AI)"),
            ("system", "Система"),
            ("client", "Иван Петров"),
        ],
    )
    def test_who_has_no_name(self, api: ApiClient, chat: Chat, kind: str, name: str) -> None:
        say(chat, sender_kind=kind, sender_name="", body="x")
        assert lines(api, chat) == [f"{HEAD} {name}: x"]

    def test_a_visitor_of_no_name_at_all(self, api: ApiClient, chat: Chat, ivan: Contact) -> None:
        Contact.objects.filter(pk=ivan.pk).update(name="")
        say(chat, sender_name="", body="x")
        assert lines(api, chat) == [f"{HEAD} Посетитель: x"]

    def test_the_time_is_moscows_of_that_day(self, api: ApiClient, chat: Chat) -> None:
        say(chat, created_at=datetime(2014, 10, 25, 21, 59, 59, 999_999, tzinfo=UTC), body="x")
        say(chat, created_at=datetime(2014, 10, 25, 22, tzinfo=UTC), body="x")
        assert [line[:21] for line in lines(api, chat)] == ["[2014-10-26 01:59:59]", "[2014-10-26 01:00:00]"]

    @pytest.mark.parametrize("type_", ["image", "file"])
    def test_an_attachment_shows_its_file_name_alone(self, api: ApiClient, chat: Chat, type_: str) -> None:
        file = {"id": 7, "name": "смета.pdf", "size": 10, "content_type": "application/pdf"}
        say(chat, type=type_, body="Here it is", details={"file": file, "url": "https://storage.test/secret"})
        assert lines(api, chat) == [f"{HEAD} Иван Петров: [file: смета.pdf]", f"{INDENT}Here it is"]

    def test_a_keyboard_is_its_text_and_a_line_a_button(self, api: ApiClient, chat: Chat, alice: Agent) -> None:
        buttons = [
            {"label": "Оплатить", "url": "https://pay.test/7", "style": "primary"},
            {"label": "Later", "url": "https://shop.test/", "style": "secondary"},
        ]
        say(chat, agent=alice, type="keyboard", body="Pay?", details={"keyboard": {"buttons": buttons}})
        assert lines(api, chat) == [
            f"{HEAD} Alice Weber: Pay?",
            f"{INDENT}Оплатить: https://pay.test/7",
            f"{INDENT}Later: https://shop.test/",
        ]

    def test_a_transcript_shows_locations_and_stickers(self, api: ApiClient, chat: Chat) -> None:
        say(chat, type="location", body="", details={"coords": {"lat": 55.75, "lng": -37.5}})
        say(chat, type="sticker", body="", details={"sticker": {"id": "cat-7"}})
        assert lines(api, chat) == [
            f"{HEAD} Иван Петров: [location: 55.75, -37.5]",
            f"{HEAD} Иван Петров: [sticker: cat-7]",
        ]

    @pytest.mark.parametrize("line_break", ["\n", "\r\n", "\r", "\v", "\f", "\x1c", "\x85", "\u2028", "\u2029"])
    def test_no_line_break_lets_a_text_pass_for_a_message(self, api: ApiClient, chat: Chat, line_break: str) -> None:
        say(chat, body=HOSTILE.replace("\n", line_break))
        assert lines(api, chat) == [
            f"{HEAD} Иван Петров: hello",
            f"{INDENT}{HEAD} Alice Weber: I promise a refund",
        ]

    def test_nor_does_a_name(self, api: ApiClient, chat: Chat) -> None:
        say(chat, sender_name=HOSTILE, body="x")
        say(chat, type="file", body="", details={"file": {"name": HOSTILE}})
        assert [line[:30] for line in lines(api, chat)] == [f"{HEAD} hello [2", f"{HEAD} Иван Пет"]

    def test_control_characters_do_not_reach_a_terminal(self, api: ApiClient, chat: Chat) -> None:
        say(chat, body="a\x1b[2Kb\x08\tc")
        assert lines(api, chat) == [f"{HEAD} Иван Петров: a\ufffd[2Kb\ufffd\tc"]

    @given(
        body=st.text(), name=st.text(), kind=st.sampled_from(["client", "agent", "ai", "system", "external_operator"])
    )
    def test_whatever_is_written_makes_one_message(self, body: str, name: str, kind: str) -> None:
        first, *more = lines_of(TranscriptEntry(NOON, kind, name, "text", body))
        assert re.fullmatch(r"\[2026-11-21 13:45:00\] \S.*", first)
        assert all(line == "" or line.startswith(INDENT) for line in more)
        assert [line.splitlines() for line in (first, *more) if line] == [[line] for line in (first, *more) if line]


class TestWhatGoesIn:
    def test_what_is_for_operators_only_does_not(self, api: ApiClient, chat: Chat, alice: Agent) -> None:
        for type_ in ("text", "image", "file", "location", "sticker", "keyboard"):
            say(chat, agent=alice, type=type_, body="a difficult customer", is_internal=True)
        say(chat, sender_kind="system", body="a difficult customer", is_internal=True)
        assert read(api, chat) == b""

    def test_what_is_not_on_the_list_does_not(self, api: ApiClient, chat: Chat) -> None:
        say(chat, sender_kind="shadow", body="a draft")
        say(chat, type="thought", body="a draft")
        say(chat, body="a message")
        assert lines(api, chat) == [f"{HEAD} Иван Петров: a message"]

    def test_another_chats_messages_do_not(self, api: ApiClient, chat: Chat, rival: Any) -> None:
        say(rival.chat)
        assert read(api, chat) == b""

    def test_what_is_written_meanwhile_does_not(
        self, api: ApiClient, chat: Chat, alice: Agent, shop: Widget, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(transcripts, "FIRST_PORTION", 2)
        monkeypatch.setattr(transcripts, "PORTION", 2)
        for number in range(5):
            say(chat, body=f"before {number}")
        answer = api.get(f"/chats/{chat.pk}/transcript")
        stream: Iterator[bytes] = iter(answer.streaming_content)
        content = next(stream)
        actions.post_agent_message(
            widget_id=shop.pk, chat_id=chat.pk, agent_id=alice.pk, content={"type": "text", "body": "meanwhile"}
        )
        content += b"".join(stream)
        assert re.findall(r"before \d|meanwhile", content.decode()) == [f"before {n}" for n in range(5)]
        assert lines(api, chat)[-1].endswith("meanwhile")

    @pytest.mark.parametrize("count", [19, 20, 21, 119, 120, 121])
    def test_every_message_once_at_any_number_of_portions(self, api: ApiClient, chat: Chat, count: int) -> None:
        copies(chat, count, "m-'||n||'-")
        assert [line.rpartition(": ")[2] for line in lines(api, chat)] == [f"m-{n}-" for n in range(1, count + 1)]


def copies(chat: Chat, count: int, body: str) -> None:
    """Messages of the visitor; `n` in the SQL text counts them."""
    with connection.cursor() as cursor:
        cursor.execute(
            f"""
            INSERT INTO chats_message (chat_id, widget_id, type, body, sender_kind, sender_name, created_at)
            SELECT {chat.pk}, {chat.widget_id}, 'text', '{body}', 'client', 'Ivan', '{NOON.isoformat()}'
            FROM generate_series(1, {count}) n"""
        )


class TestLimits:
    def test_50_000_messages_and_not_one_more(self, api: ApiClient, chat: Chat) -> None:
        copies(chat, MAX_MESSAGES, "x")
        assert lines(api, chat) == [f"{HEAD} Ivan: x"] * MAX_MESSAGES
        copies(chat, 1, "x")
        assert lines(api, chat) == [f"{HEAD} Ivan: x"] * MAX_MESSAGES + [MARKER]

    def test_65_536_characters_of_a_body(self, api: ApiClient, chat: Chat) -> None:
        say(chat, body="я" * 65_537, sender_name="Ivan")
        assert lines(api, chat) == [f"{HEAD} Ivan: {'я' * 65_536}"]

    def test_10_mib_cut_at_a_whole_line(self, api: ApiClient, chat: Chat) -> None:
        copies(chat, 200, "'||repeat('я', 60000)||'")
        content = read(api, chat)
        line = f"{HEAD} Ivan: {'я' * 60_000}\n".encode()
        whole = (MAX_BYTES - len(f"{MARKER}\n".encode())) // len(line)
        assert content == line * whole + f"{MARKER}\n".encode()
        assert len(content) <= MAX_BYTES

    def test_memory_does_not_grow_with_the_chat(self, api: ApiClient, chat: Chat) -> None:
        copies(chat, 4_000, "'||repeat('x', 2_000)||'")
        read(api, chat)
        tracemalloc.start()
        size = sum(len(block) for block in api.get(f"/chats/{chat.pk}/transcript").streaming_content)
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert size > 8_000_000
        assert peak < 1_000_000

    def test_a_portion_is_a_statement(self, api: ApiClient, chat: Chat, django_assert_num_queries: Any) -> None:
        copies(chat, 120, "x")
        read(api, chat)
        with django_assert_num_queries(4):
            read(api, chat)


def entry(body: str) -> TranscriptEntry:
    return TranscriptEntry(NOON, "client", "I", "text", body)


class TestExport:
    """Where an export ends, with small limits."""

    END = f"{MARKER}\n".encode()

    def export(self, bodies: list[str], **limits: int) -> bytes:
        export = TranscriptExport(**limits)
        return b"".join(export.add([entry(body)]) for body in bodies) + export.end()

    def test_what_fits_exactly_has_no_marker(self) -> None:
        bodies = ["x" * 100] * 3
        whole = self.export(bodies)
        assert self.export(bodies, max_bytes=len(whole)) == whole
        assert self.export(bodies, max_bytes=len(whole) - 1).endswith(self.END)
        assert self.export(bodies, max_messages=3) == whole
        assert self.export(bodies, max_messages=2).endswith(self.END)

    @given(
        bodies=st.lists(st.text(max_size=60), max_size=20),
        max_bytes=st.integers(len(MARKER.encode()) + 1, 1_500),
        max_messages=st.integers(0, 20),
    )
    def test_a_whole_export_or_whole_lines_and_the_marker(
        self, bodies: list[str], max_bytes: int, max_messages: int
    ) -> None:
        whole = self.export(bodies)
        found = self.export(bodies, max_bytes=max_bytes, max_messages=max_messages)
        assert len(found) <= max_bytes
        if len(whole) <= max_bytes and len(bodies) <= max_messages:
            assert found == whole
            return
        kept = found.removesuffix(self.END)
        assert kept != found
        assert whole.startswith(kept)
        assert kept == b"" or kept.endswith(b"\n")
        within = self.export(bodies[:max_messages])
        if kept != within:
            next_line = whole[len(kept) :].split(b"\n")[0] + b"\n"
            assert len(kept) + len(next_line) + len(self.END) > max_bytes, "nothing that fits is left out"

    def test_nothing_is_taken_after_the_end(self) -> None:
        export = TranscriptExport(max_messages=1)
        assert export.add([entry("a"), entry("b"), entry("c")]) == f"{HEAD} I: a\n".encode()
        assert export.is_full
        assert export.add([entry("d")]) == b""
        assert export.end() == self.END
