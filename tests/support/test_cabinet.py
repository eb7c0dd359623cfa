"""The cabinet's pages of the support desk: queue and tickets, steps of agents, settings, the own application."""

import re
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone, translation

from apps.accounts.models import AuditEntry, Widget
from apps.agents.models import Agent
from apps.chats.models import Chat, Contact
from apps.console.querysets import inbox_rows
from apps.support.labels import REFUSALS
from apps.support.models import Binding, ChatHold, SupportAction, SupportSettings, Ticket
from apps.support.rules.guard import Catalogue, checked
from apps.support.rules.settings import Ready, as_sent, enabling_refusals
from apps.support.settings import SETTINGS, settings_of
from tests.cast import Rival, signed_in
from tests.factories import ApiTokenFactory, ChatFactory, ContactFactory, StaffFactory, SuperuserFactory
from tests.factories.ai import AssistantFactory, CredentialFactory
from tests.factories.support import ActionFactory, BindingFactory, TicketFactory, at_desk
from tests.support.test_desk import Desk, writes

QUEUE, STEPS, BINDINGS = "/admin/support/ticket/", "/admin/support/supportaction/", "/admin/support/binding/"


@pytest.fixture
def desk(token: str, alice: Agent) -> Desk:
    """An agent at the shop's desk, who answers as Alice."""
    at_desk(token, alice)
    return Desk(token)


def viewer_of(widget: Widget) -> Client:
    return signed_in(StaffFactory.create(account=widget.account, role="viewer"))


def another_chat(widget: Widget) -> Chat:
    return ChatFactory.create(contact=ContactFactory.create(widget=widget))


def listed(browser: Client, **query: Any) -> list[int]:
    """The tickets of the list, in its order."""
    answer = browser.get(QUEUE, query)
    assert answer.status_code == 200
    return [row.pk for row in answer.context["cl"].result_list]


class TestQueue:
    def test_it_is_in_the_order_of_the_desk_and_filtered_as_there(self, cabinet: Client, shop: Widget) -> None:
        now = timezone.now()
        held, normal, urgent, closed = (
            TicketFactory.create(chat=another_chat(shop), **fields).pk
            for fields in (
                {"priority": 0, "held_for_owner": True},
                {"priority": 2, "subject": "Where is it?"},
                {"priority": 0, "reason": "safety"},
                {"state": "closed", "close_reason": "resolved", "closed_at": now},
            )
        )
        assert listed(cabinet) == [urgent, normal, held]
        assert listed(cabinet, state="closed") == [closed]
        assert listed(cabinet, state="all") == [closed, urgent, normal, held]
        assert listed(cabinet, state="neither") == [urgent, normal, held]
        assert listed(cabinet, priority__exact="0") == [urgent, held]
        assert listed(cabinet, why="safety") == [urgent]
        assert listed(cabinet, why="resolved", state="all") == [closed]
        assert listed(cabinet, held_for_owner__exact="1") == [held]
        assert listed(cabinet, q=f"#{normal}") == listed(cabinet, q="where is") == [normal]
        Ticket.objects.filter(pk=normal).update(updated_at=now - timedelta(days=2))
        assert listed(cabinet, updated="1") == [urgent, held]

    def test_others_tickets_are_not_in_it(self, cabinet: Client, rival: Rival) -> None:
        theirs = TicketFactory.create(chat=rival.chat)
        assert listed(cabinet, state="all") == []
        assert cabinet.get(f"{QUEUE}{theirs.pk}/change/").status_code == 404


class TestTicket:
    def test_it_shows_what_was_said_done_and_noted(
        self,
        cabinet: Client,
        desk: Desk,
        chat: Chat,
        ivan: Contact,
    ) -> None:
        first = TicketFactory.create(chat=chat, state="closed")
        ticket = TicketFactory.create(chat=chat, context={"plan": "pro"}, subject="Заказ 12")
        writes(ivan, "Где <b>заказ</b>?")
        assert desk.reply(chat, ticket=ticket.pk, close_ticket=False, note="Ждёт возврата.").status_code == 201
        page = cabinet.get(f"{QUEUE}{ticket.pk}/change/").content.decode()
        assert "Где &lt;b&gt;заказ&lt;/b&gt;?" in page
        for shown in (
            "Заказ 12",
            "Заказ в пути.",
            "Ждёт возврата.",
            "flora",
            "&quot;pro&quot;",
            "left the rest to you",
        ):
            assert shown in page, shown
        assert f"{QUEUE}{first.pk}/change/" in page
        assert f"{STEPS}{SupportAction.objects.get().pk}/change/" in page

    def test_it_is_closed_and_opened_again_by_the_owner(
        self,
        cabinet: Client,
        desk: Desk,
        chat: Chat,
        olga: Agent,
    ) -> None:
        ticket = TicketFactory.create(chat=chat)
        desk.post(f"/chats/{chat.pk}/claim")  # which stops agents alone
        path = f"{QUEUE}{ticket.pk}/change/"
        assert cabinet.post(path, {"close": "1", "reason": "resolved"}).status_code == 302
        ticket.refresh_from_db()
        assert olga.user is not None
        by = {"kind": "staff", "name": olga.user.get_full_name() or "staff"}
        assert (ticket.state, ticket.close_reason, ticket.closed_by) == ("closed", "resolved", by)
        assert desk.get(f"/tickets/{ticket.pk}").json()["data"]["closed_by"] == by
        refused = cabinet.post(path, {"close": "1", "reason": "resolved"}, follow=True).content.decode()
        assert "Open it again" in refused
        cabinet.post(path, {"reopen": "1"})
        ticket.refresh_from_db()
        assert (ticket.state, ticket.closed_by) == ("open", None)
        told = [row.changes["ticket"] for row in AuditEntry.objects.order_by("pk") if "ticket" in (row.changes or {})]
        assert told == [[f"#{ticket.pk}", "closed"], [f"#{ticket.pk}", "reopened"]]

    def test_refusals_are_told_and_nothing_moves(self, cabinet: Client, shop: Widget, chat: Chat, rival: Rival) -> None:
        ticket = TicketFactory.create(chat=chat)
        path = f"{QUEUE}{ticket.pk}/change/"
        theirs = TicketFactory.create(chat=rival.chat)
        for sent in (
            {"reason": "answered"},
            {"reason": "resolved", "duplicate_of": theirs.pk},
            {"reason": "duplicate", "duplicate_of": "x"},
        ):
            answer = cabinet.post(path, {"close": "1", **sent})
            assert answer.status_code == 200, sent
            assert answer.context["form"].errors
        for number in (ticket.pk, theirs.pk):
            sent = {"close": "1", "reason": "duplicate", "duplicate_of": number}
            assert cabinet.post(path, sent, follow=True).status_code == 200
        cabinet.post(path, {"reopen": "1"})
        assert viewer_of(shop).post(path, {"close": "1", "reason": "resolved"}).status_code == 403
        ticket.refresh_from_db()
        assert (ticket.state, ticket.duplicate_of_id) == ("open", None)
        other = TicketFactory.create(chat=another_chat(shop))
        cabinet.post(path, {"close": "1", "reason": "duplicate", "duplicate_of": other.pk})
        ticket.refresh_from_db()
        assert (ticket.close_reason, ticket.duplicate_of_id) == ("duplicate", other.pk)

    def test_one_that_was_closed_long_ago_stays_so(self, cabinet: Client, chat: Chat) -> None:
        ago = timezone.now() - timedelta(days=8)
        ticket = TicketFactory.create(chat=chat, state="closed", close_reason="resolved", closed_at=ago)
        path = f"{QUEUE}{ticket.pk}/change/"
        assert "Open it again" not in cabinet.get(path).content.decode()
        cabinet.post(path, {"reopen": "1"})
        ticket.refresh_from_db()
        assert ticket.state == "closed"

    def test_who_runs_the_installation_is_not_named_to_agents(self, chat: Chat) -> None:
        ticket = TicketFactory.create(chat=chat)
        root = signed_in(SuperuserFactory.create(name="Ada"))
        root.post(f"{QUEUE}{ticket.pk}/change/", {"close": "1", "reason": "resolved"})
        ticket.refresh_from_db()
        assert ticket.closed_by == {"kind": "staff", "name": "staff"}


class TestSteps:
    def test_refused_ones_are_in_the_list_and_it_is_narrowed(
        self,
        cabinet: Client,
        desk: Desk,
        chat: Chat,
        ivan: Contact,
    ) -> None:
        writes(ivan)
        desk.post(f"/chats/{chat.pk}/claim", {"ttl_sec": 59})
        desk.reply(chat, "Секрет агента")
        refused, stored = SupportAction.objects.order_by("pk")

        def rows(**query: Any) -> list[int]:
            return [row.pk for row in cabinet.get(STEPS, query).context["cl"].result_list]

        assert rows() == [stored.pk, refused.pk]
        assert rows(status__exact="refused") == rows(kind__exact="claim") == [refused.pk]
        assert rows(q="flora") == rows(q=f"#{chat.pk}") == rows(done="1") == [stored.pk, refused.pk]
        assert rows(q="nobody") == []
        assert rows(token__id__exact=stored.token_id) == [stored.pk, refused.pk]
        SupportAction.objects.filter(pk=refused.pk).update(created_at=timezone.now() - timedelta(days=3))
        assert rows(done="1") == [stored.pk]
        assert "invalid_input" in cabinet.get(STEPS).content.decode()
        page = cabinet.get(f"{STEPS}{stored.pk}/change/").content.decode()
        assert stored.text_sha256 is not None
        assert stored.text_sha256 in page
        assert "Секрет агента" not in page

    def test_a_ticket_that_the_widget_has_not_is_no_link(self, cabinet: Client, shop: Widget, rival: Rival) -> None:
        theirs = TicketFactory.create(chat=rival.chat)
        step = ActionFactory.create(widget=shop, ticket=theirs.pk)
        page = cabinet.get(f"{STEPS}{step.pk}/change/").content.decode()
        assert f"{QUEUE}{theirs.pk}/change/" not in page


def page_of(widget: Widget) -> str:
    return f"/admin/support/supportdesk/{widget.pk}/change/"


def sent_by(browser: Client, widget: Widget) -> dict[str, Any]:
    """What the page's form would send as it stands."""
    form = browser.get(page_of(widget)).context["adminform"].form
    sent = {name: form[name].value() for name in form.fields}
    return {name: "" if value is None else value for name, value in sent.items() if value is not False}


class TestSettings:
    def test_each_is_named_and_explained_in_one_section(self) -> None:
        assert all(row.label and row.help_text for row in SETTINGS.rows)
        assert sorted(name for _, names in SETTINGS.sections for name in names) == sorted([*SETTINGS.by_name, "links"])

    def test_what_is_saved_is_what_the_command_would_store(self, cabinet: Client, shop: Widget, alice: Agent) -> None:
        token = ApiTokenFactory.create(widget=shop)
        given = {
            "enabled": "on",
            "operator_id": alice.pk,
            "token_ids": [token.pk],
            "ip_allowlist": "192.0.2.7\n\n 2001:db8::/48 ",
            "link_hosts": "shop.example",
            "channels": ["widget", "app"],
            "room_reply_limit": 5,
        }
        assert cabinet.post(page_of(shop), sent_by(cabinet, shop) | given).status_code == 302
        stored = settings_of(shop.pk)
        assert stored.enabled
        assert (stored.operator_id, stored.token_ids, stored.room_reply_limit) == (alice.pk, [token.pk], 5)
        assert (stored.ip_allowlist, stored.link_hosts) == (["192.0.2.7", "2001:db8::/48"], ["shop.example"])
        assert sorted(stored.channels) == ["app", "widget"]
        assert stored.token_reply_limit_day == 300
        sent = sent_by(cabinet, shop)
        del sent["enabled"]
        assert cabinet.post(page_of(shop), sent).status_code == 302
        assert not settings_of(shop.pk).enabled
        assert settings_of(shop.pk).token_ids == [token.pk]

    @pytest.mark.parametrize(
        ("name", "value"),
        [
            ("link_hosts", "https://shop.example"),
            ("exact_links", "http://shop.example/a"),
            ("ip_allowlist", "everywhere"),
            ("room_reply_limit", "31"),
            ("room_reply_limit", ""),
            ("token_reply_limit_day", "-1"),
            ("app_store_id", "id1"),
            ("messenger_handles", "@shop"),
            ("channels", ["fax"]),
            ("operator_id", "0"),
            ("token_ids", ["0"]),
            ("enabled", "on"),
        ],
    )
    def test_refusals_stand_at_their_fields_and_nothing_is_stored(
        self, cabinet: Client, shop: Widget, name: str, value: Any
    ) -> None:
        answer = cabinet.post(page_of(shop), sent_by(cabinet, shop) | {name: value})
        assert answer.status_code == 200
        missing = {"operator_id", "token_ids", "ip_allowlist"}
        assert answer.context["adminform"].form.errors.keys() == (missing if name == "enabled" else {name})
        assert not SupportSettings.objects.exists()

    def test_a_revoked_token_stays_listed_until_it_is_taken_off(self, cabinet: Client, shop: Widget) -> None:
        token = ApiTokenFactory.create(widget=shop, name="Old", revoked_at=timezone.now())
        SupportSettings.objects.create(widget=shop, token_ids=[token.pk])
        assert "Old (revoked)" in cabinet.get(page_of(shop)).content.decode()
        assert cabinet.post(page_of(shop), sent_by(cabinet, shop) | {"room_reply_limit": 4}).status_code == 302
        assert settings_of(shop.pk).token_ids == [token.pk]
        sent = sent_by(cabinet, shop)
        del sent["token_ids"]
        cabinet.post(page_of(shop), sent)
        assert settings_of(shop.pk).token_ids == []

    def test_every_refusal_is_known_to_translators(self) -> None:
        assert {*enabling_refusals(Ready(has_operator=False, has_token=False, has_address=False)).values()} <= {
            *REFUSALS
        }
        with translation.override("ru"):
            for text in (*REFUSALS, *(row.refusal for row in SETTINGS.rows)):
                assert re.search("[а-я]", translation.gettext(text)), text

    def test_viewers_read_what_is_in_effect(self, cabinet: Client, shop: Widget, alice: Agent) -> None:
        SupportSettings.objects.create(widget=shop, operator=alice, link_hosts=["shop.example"])
        viewer = viewer_of(shop)
        page = viewer.get(page_of(shop)).content.decode()
        assert alice.full_name in page
        assert 'href="https://shop.example"' in page
        assert viewer.post(page_of(shop), {"enabled": "on"}).status_code == 403
        assert cabinet.get(page_of(shop)).status_code == 200

    def test_another_accounts_desk_is_404(self, cabinet: Client, rival: Rival) -> None:
        assert cabinet.get(page_of(rival.widget)).status_code == 404


class TestCatalogue:
    FULL: dict[str, Any] = {
        "link_hosts": ["shop.example", "магазин.рф"],
        "exact_links": ["https://pay.example/in?id=7"],
        "app_store_id": "12345",
        "play_package": "com.example.shop",
        "ipv4_literals": ["192.0.2.7"],
        "messenger_handles": ["shop_help"],
        "emails": ["help@shop.example"],
    }

    def test_it_is_shown_as_a_customer_sees_it(self, cabinet: Client, shop: Widget) -> None:
        SupportSettings.objects.create(widget=shop, **self.FULL)
        page = cabinet.get(page_of(shop)).content.decode()
        for address in (
            "https://shop.example",
            "https://pay.example/in?id=7",
            "https://apps.apple.com/app/id12345",
            "https://play.google.com/store/apps/details?id=com.example.shop",
            "https://t.me/shop_help",
            "mailto:help@shop.example",
        ):
            assert f'href="{address}"' in page, address
        assert "192.0.2.7" in page
        assert "@shop_help" in page

    def test_what_is_shown_is_what_the_guard_lets_pass(self) -> None:
        settings = SupportSettings(**self.FULL)
        assert SETTINGS.refusals(settings, self.FULL) == {}
        catalogue = Catalogue(
            hosts=tuple(settings.link_hosts),
            links=tuple(settings.exact_links),
            app_store_id=settings.app_store_id,
            play_package=settings.play_package,
            ipv4=tuple(settings.ipv4_literals),
            handles=tuple(settings.messenger_handles),
            emails=tuple(settings.emails),
        )
        shown = as_sent(settings)
        assert len(shown) == 8
        for text, address in shown:
            assert checked(f"Вот: {text}", catalogue) == f"Вот: {text}"
            if address.startswith("https://"):
                assert checked(f"Вот: {address}", catalogue) == f"Вот: {address}"

    def test_an_empty_one_is_said_to_be(self, cabinet: Client, shop: Widget) -> None:
        assert "no link" in cabinet.get(page_of(shop)).content.decode()


class TestApplication:
    @pytest.fixture
    def token(self, shop: Widget) -> Any:
        CredentialFactory.create(widget=shop)
        return ApiTokenFactory.create(widget=shop)

    def test_the_secret_is_shown_once(self, cabinet: Client, shop: Widget, token: Any) -> None:
        assert cabinet.get(f"{BINDINGS}add/").status_code == 200
        page = cabinet.post(f"{BINDINGS}add/", {"token": token.pk, "provider": "openai"}, follow=True).content.decode()
        binding = Binding.objects.get()
        assert (binding.widget, binding.token, binding.assistant) == (shop, token, None)
        assert binding.secret in page
        shown = cabinet.get(f"{BINDINGS}{binding.pk}/change/").content.decode()
        assert binding.secret not in shown
        assert "It may sign." in shown
        assert "/api/v1/ai/assistant/turn" in shown
        assert binding.secret not in str(list(AuditEntry.objects.values()))

    def test_it_gets_another_secret(self, cabinet: Client, shop: Widget) -> None:
        binding = BindingFactory.create(widget=shop)
        before = binding.secret
        path = f"{BINDINGS}{binding.pk}/secret/"
        assert cabinet.get(path).status_code == 200
        binding.refresh_from_db()
        assert binding.secret == before
        page = cabinet.post(path, follow=True).content.decode()
        binding.refresh_from_db()
        assert binding.secret != before
        assert len(binding.secret) == len(before)
        assert binding.secret in page
        assert before not in page
        (line,) = (row for row in AuditEntry.objects.all() if "secret" in (row.changes or {}))
        assert binding.secret not in str(line.changes)
        assert viewer_of(shop).post(path).status_code == 403

    def test_an_owner_removes_the_binding(self, cabinet: Client, shop: Widget) -> None:
        binding = BindingFactory.create(widget=shop)
        path = f"{BINDINGS}{binding.pk}/delete/"
        assert cabinet.get(path).status_code == 200
        assert Binding.objects.exists()
        assert cabinet.post(path, {"post": "yes"}).status_code == 302
        assert not Binding.objects.exists()

    def test_a_revoked_token_is_said_to_be(self, cabinet: Client, shop: Widget) -> None:
        binding = BindingFactory.create(widget=shop)
        binding.token.revoked_at = timezone.now()
        binding.token.save(update_fields=["revoked_at"])
        assert "Revoked" in cabinet.get(f"{BINDINGS}{binding.pk}/change/").content.decode()

    def test_what_is_refused_stands_at_its_field(self, cabinet: Client, token: Any, shop: Widget, rival: Rival) -> None:
        path = f"{BINDINGS}add/"
        unable = ApiTokenFactory.create(widget=shop, scopes=["chats:read"])
        theirs = ApiTokenFactory.create(widget=rival.widget)
        foreign = AssistantFactory.create(widget=rival.widget)
        for sent, field in (
            ({"token": theirs.pk, "provider": "openai"}, "token"),
            ({"token": unable.pk, "provider": "openai"}, "token"),
            ({"token": token.pk, "provider": "anthropic"}, "provider"),
            ({"token": token.pk, "provider": "cohere"}, "provider"),
            ({"token": token.pk, "provider": "openai", "assistant": foreign.pk}, "assistant"),
        ):
            answer = cabinet.post(path, sent)
            assert answer.status_code == 200, sent
            assert field in answer.context["form"].errors, sent
        assert not Binding.objects.exists()
        BindingFactory.create(widget=shop)
        answer = cabinet.post(path, {"token": token.pk, "provider": "openai"})
        assert "token" in answer.context["form"].errors


class TestMarks:
    """What the console shows of what agents have in hand (the slot `chat_marks`)."""

    def marks(self, chat: Chat) -> list[tuple[str, str]]:
        (row,) = inbox_rows(chat.widget_id, [chat.pk])
        return [(mark["kind"], mark["about"]) for mark in row["marks"]]

    def test_a_row_shows_the_open_ticket_and_the_lease(self, desk: Desk, chat: Chat, ivan: Contact) -> None:
        assert self.marks(chat) == []
        ticket = TicketFactory.create(chat=chat)
        TicketFactory.create(chat=chat, state="closed")
        claim = {"claim_id": desk.post(f"/chats/{chat.pk}/claim").json()["data"]["claim_id"]}
        assert sorted(self.marks(chat)) == [("lease", "flora"), ("ticket", str(ticket.pk))]
        writes(ivan)
        desk.reply(chat, ticket=ticket.pk, close_ticket=False, **claim)
        assert sorted(self.marks(chat)) == [("held", str(ticket.pk)), ("lease", "flora")]
        desk.post(f"/chats/{chat.pk}/release", claim)
        desk.post(f"/tickets/{ticket.pk}/close", {"reason": "resolved"})
        assert self.marks(chat) == []

    def test_a_lease_that_has_run_out_is_none(self, desk: Desk, chat: Chat) -> None:
        desk.post(f"/chats/{chat.pk}/claim")
        ChatHold.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
        assert self.marks(chat) == []

    def test_others_have_none_of_it(self, desk: Desk, chat: Chat, rival: Rival) -> None:
        TicketFactory.create(chat=chat)
        desk.post(f"/chats/{chat.pk}/claim")
        assert inbox_rows(rival.widget.pk, [chat.pk]) == []
        assert self.marks(rival.chat) == []

    def test_operators_are_told_of_each_change(self, desk: Desk, chat: Chat) -> None:
        """Their sockets read a row whose version has grown."""
        ticket = TicketFactory.create(chat=chat)

        def grows(path: str, body: dict[str, Any]) -> Any:
            before = Chat.objects.get(pk=chat.pk).version
            answer = desk.post(path, body)
            assert answer.status_code == 200, answer.content
            assert Chat.objects.get(pk=chat.pk).version > before, path
            return answer.json()["data"]

        claimed = grows(f"/chats/{chat.pk}/claim", {})
        grows(f"/chats/{chat.pk}/release", {"claim_id": claimed["claim_id"]})
        grows(f"/tickets/{ticket.pk}/close", {"reason": "resolved"})
        grows(f"/tickets/{ticket.pk}/reopen", {})
