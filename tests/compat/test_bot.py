"""A bot of the other platform (specification, Endpoints, "Compat routes")."""

from typing import Any

import pytest
from django.utils import timezone
from pytest_django import Settings

from apps.accounts.models import Widget
from apps.accounts.rules import new_token
from apps.agents.models import Agent
from apps.chats import actions
from apps.chats.models import Chat, Message
from apps.chats.rules import Status
from tests.cast import Rival
from tests.client import assert_problem
from tests.compat.clients import LegacyBot
from tests.factories import ApiTokenFactory, WidgetFactory, plain_text
from tests.factories.chats import MessageFactory
from tests.rows import snapshot

pytestmark = pytest.mark.django_db


def come_online(agent: Agent, status: str = "active") -> None:
    agent.online_since, agent.status = timezone.now(), status
    agent.save(update_fields=["online_since", "status"])


class TestBotMessage:
    def test_is_sent_as_the_owner_in_a_chat_that_is_nobodys(self, bot: LegacyBot, chat: Chat, olga: Agent) -> None:
        answer = bot.say(chat.pk, text="Здравствуйте!")
        assert answer.status_code == 202
        message = Message.objects.get()
        assert answer.json() == {
            "data": {"status": "sent", "chat_id": chat.pk, "message_id": message.pk, "agent_id": olga.pk}
        }
        assert (message.type, message.body, message.markdown) == ("text", "Здравствуйте!", None)
        assert (message.sender_kind, message.agent, message.sender_name) == ("agent", olga, "Olga Romanova")
        assert message.origin == "legacy_bot"

    def test_is_sent_as_the_chats_agent(self, bot: LegacyBot, chat: Chat, olga: Agent, alice: Agent) -> None:
        actions.assign_chat(widget_id=chat.widget_id, chat_id=chat.pk, agent_id=alice.pk)
        assert bot.say(chat.pk, text="Hi").json()["data"]["agent_id"] == alice.pk

    def test_is_sent_as_the_owner_when_the_chats_agent_is_banned(
        self, bot: LegacyBot, chat: Chat, olga: Agent, alice: Agent
    ) -> None:
        actions.assign_chat(widget_id=chat.widget_id, chat_id=chat.pk, agent_id=alice.pk)
        Agent.objects.filter(pk=alice.pk).update(status="banned")
        assert bot.say(chat.pk, text="Hi").json()["data"]["agent_id"] == olga.pk

    def test_is_refused_where_nobody_is_left_to_send_it(self, bot: LegacyBot, chat: Chat, ada: Agent) -> None:
        assert_problem(bot.say(chat.pk, text="Hi"), 422, "nobody_to_send_as")
        assert not Message.objects.exists()

    def test_reopens_an_expired_chat(self, bot: LegacyBot, chat: Chat, olga: Agent) -> None:
        actions.close_chat(widget_id=chat.widget_id, chat_id=chat.pk)
        assert bot.say(chat.pk, text="Hi").status_code == 202
        chat.refresh_from_db()
        assert chat.status == "active"

    @pytest.mark.parametrize(
        ("message", "body", "markdown"),
        [
            ({"text": "Hi"}, "Hi", None),
            ({"type": "text", "text": "Hi"}, "Hi", None),
            ({"type": "TEXT", "text": "Hi", "timestamp": 1_795_257_900, "nonsense": [1]}, "Hi", None),
            ({"type": "MARKDOWN", "content": "**Hi**", "text": "Hi"}, "Hi", "**Hi**"),
            ({"type": "MARKDOWN", "content": "**Hi**"}, "**Hi**", "**Hi**"),
            ({"type": "MARKDOWN", "text": "**Hi**"}, "**Hi**", "**Hi**"),
            (
                {"type": "BUTTONS", "text": "Какие?", "title": "Цветы", "buttons": [{"text": "Розы", "id": 1}]},
                "Какие?\nРозы",
                None,
            ),
            ({"type": "BUTTONS", "title": "Цветы", "buttons": [{"text": "a"}, {"text": "b"}]}, "Цветы\na\nb", None),
            ({"type": "BUTTONS", "buttons": [{"text": "a"}, {"text": ""}, {"text": "b"}]}, "a\nb", None),
        ],
    )
    def test_of_each_type_is_a_text(
        self, bot: LegacyBot, chat: Chat, olga: Agent, message: Any, body: str, markdown: str | None
    ) -> None:
        answer = bot.ask("BOT_MESSAGE", chat.pk, message=message)
        assert answer.status_code == 202, answer.content
        stored = Message.objects.get()
        assert (stored.type, stored.body, stored.markdown) == ("text", body, markdown)

    @pytest.mark.parametrize(
        ("message", "path"),
        [
            ({"text": " "}, "message.text"),
            ({}, "message.text"),
            ({"text": 5}, "message.text"),
            ({"type": "PHOTO", "text": "a"}, "message.type"),
            ({"type": None, "text": "a"}, "message.type"),
            ({"type": "BUTTONS", "buttons": []}, "message.text"),
            ({"type": "BUTTONS", "text": "a", "buttons": [{"id": 1}]}, "message.buttons.0.text"),
            ({"type": "BUTTONS", "text": "a" * 65_536, "buttons": [{"text": "b"}]}, "message.buttons"),
            ({"text": "a" * 65_537}, "message.text"),
            ("Hi", "message"),
        ],
    )
    def test_that_says_nothing_is_refused(
        self, bot: LegacyBot, chat: Chat, olga: Agent, message: Any, path: str
    ) -> None:
        before = snapshot()
        answer = bot.ask("BOT_MESSAGE", chat.pk, message=message)
        assert_problem(answer, 422, "invalid_input", errors=[path])
        assert snapshot() == before

    def test_a_bot_message_without_a_message_is_422(self, bot: LegacyBot, chat: Chat, olga: Agent) -> None:
        for members in ({}, {"message": None}):
            assert_problem(bot.ask("BOT_MESSAGE", chat.pk, **members), 422, "invalid_input", errors=["message"])


class TestInviteAgent:
    def test_gives_the_chat_to_somebody_who_is_online(
        self, bot: LegacyBot, chat: Chat, olga: Agent, alice: Agent, boris: Agent
    ) -> None:
        come_online(alice)
        come_online(boris, status="relaxation")
        answer = bot.ask("INVITE_AGENT", chat.pk)
        assert answer.status_code == 202
        assert answer.json() == {
            "data": {"status": "transferred", "chat_id": chat.pk, "message_id": None, "agent_id": alice.pk}
        }
        chat.refresh_from_db()
        assert chat.agent == alice

    def test_picks_any_of_several(self, bot: LegacyBot, chat: Chat, alice: Agent, boris: Agent) -> None:
        for agent in (alice, boris):
            come_online(agent)
        picked = {bot.ask("INVITE_AGENT", chat.pk).json()["data"]["agent_id"] for _ in range(40)}
        assert picked == {alice.pk, boris.pk}

    def test_is_no_error_while_nobody_is_online(
        self, bot: LegacyBot, chat: Chat, alice: Agent, ada: Agent, rival: Rival
    ) -> None:
        come_online(ada)
        come_online(rival.agent)
        before = Chat.objects.filter(pk=chat.pk).values("agent", "status", "handling").get()
        answer = bot.ask("INVITE_AGENT", chat.pk, message=None)
        assert answer.status_code == 200
        assert answer.json() == {
            "data": {"status": "no_agent_online", "chat_id": chat.pk, "message_id": None, "agent_id": None}
        }
        assert Chat.objects.filter(pk=chat.pk).values("agent", "status", "handling").get() == before


class TestInitRate:
    def test_asks_the_visitor_for_a_rating(self, bot: LegacyBot, chat: Chat) -> None:
        MessageFactory.create(chat=chat)
        answer = bot.ask("INIT_RATE", chat.pk)
        assert answer.status_code == 202
        assert answer.json()["data"]["status"] == "rating_requested"
        chat.refresh_from_db()
        assert chat.rating_requested_at is not None

    def test_is_refused_before_the_first_message(self, bot: LegacyBot, chat: Chat) -> None:
        assert_problem(bot.ask("INIT_RATE", chat.pk), 422, "chat_takes_none")
        chat.refresh_from_db()
        assert chat.rating_requested_at is None


@pytest.mark.parametrize("message_type", ["BOT_MESSAGE", "INVITE_AGENT", "INIT_RATE"])
class TestEachOfThem:
    def test_is_refused_in_a_spam_chat_even_if_nobody_is_there(
        self, bot: LegacyBot, chat: Chat, olga: Agent, message_type: str
    ) -> None:
        MessageFactory.create(chat=chat)
        Chat.objects.filter(pk=chat.pk).update(status="spam")
        before = snapshot()
        assert_problem(bot.ask(message_type, chat.pk, message={"text": "Hi"}), 422, "chat_takes_none")
        assert snapshot() == before

    def test_may_be_named_as_event(
        self, bot: LegacyBot, chat: Chat, olga: Agent, alice: Agent, message_type: str
    ) -> None:
        MessageFactory.create(chat=chat)
        come_online(alice)
        body = {"event": message_type, "chat_id": chat.pk, "message": {"text": "Hi"}}
        assert bot.send(body).status_code == 202

    def test_takes_the_chats_id_as_a_string_and_passes_over_what_it_does_not_know(
        self, bot: LegacyBot, chat: Chat, olga: Agent, message_type: str
    ) -> None:
        MessageFactory.create(chat=chat)
        answer = bot.ask(
            message_type, f" {chat.pk}", id="1", client_id=17, site_id=None, message={"text": "Hi", "date": {}}
        )
        assert answer.status_code in (200, 202), answer.content
        assert answer.json()["data"]["chat_id"] == chat.pk

    def test_passes_over_what_means_nothing_beside_the_rest(
        self, bot: LegacyBot, chat: Chat, olga: Agent, message_type: str
    ) -> None:
        """A message, where none is said."""
        MessageFactory.create(chat=chat)
        said = {"text": "Hi"} if message_type == "BOT_MESSAGE" else {"text": 7}
        answer = bot.ask(message_type, chat.pk, message=said)
        assert answer.status_code in (200, 202), answer.content

    def test_in_a_chat_that_is_not_there_or_not_ours_is_404(
        self, bot: LegacyBot, rival: Rival, olga: Agent, message_type: str
    ) -> None:
        before = snapshot()
        for chat_id in (rival.chat.pk, 999_999_999, "999999999", "abc", "-1", "1.5", "9" * 30, "٧"):
            answer = bot.ask(message_type, chat_id, message={"text": "Hi"})
            assert_problem(answer, 404, "not_found")
        assert snapshot() == before

    @pytest.mark.parametrize("chat_id", [None, True, 1.5, [], {}, "", " "])
    def test_without_an_id_is_refused(
        self, bot: LegacyBot, chat: Chat, olga: Agent, message_type: str, chat_id: Any
    ) -> None:
        answer = bot.ask(message_type, chat_id, message={"text": "Hi"})
        assert_problem(answer, 422, "invalid_input", errors=["chat_id"])

    def test_in_a_spam_chat_is_refused_with_422(
        self, bot: LegacyBot, chat: Chat, olga: Agent, message_type: str
    ) -> None:
        MessageFactory.create(chat=chat)
        come_online(olga)
        Chat.objects.filter(pk=chat.pk).update(status=Status.SPAM)
        before = snapshot()
        assert_problem(bot.ask(message_type, chat.pk, message={"text": "Hi"}), 422, "chat_takes_none")
        assert snapshot() == before

    def test_a_bots_token_needs_the_scope_of_the_message_type(
        self, shop: Widget, chat: Chat, olga: Agent, message_type: str
    ) -> None:
        MessageFactory.create(chat=chat)
        own, other = ("messages:write", "chats:write")
        if message_type != "BOT_MESSAGE":
            own, other = other, own
        tokens = [ApiTokenFactory.create(widget=shop, scopes=scopes) for scopes in ([other], ["chats:read"], [])]
        before = snapshot()
        for bot in (LegacyBot(plain_text(token)) for token in tokens):
            assert_problem(bot.ask(message_type, chat.pk, message={"text": "Hi"}), 403, "missing_scope")
        assert snapshot() == before
        bot = LegacyBot(plain_text(ApiTokenFactory.create(widget=shop, scopes=[own])))
        assert bot.ask(message_type, chat.pk, message={"text": "Hi"}).status_code in (200, 202)


def test_message_type_comes_before_event(bot: LegacyBot, chat: Chat, olga: Agent) -> None:
    body = {"message_type": "BOT_MESSAGE", "event": "INVITE_AGENT", "chat_id": chat.pk, "message": {"text": "Hi"}}
    assert bot.send(body).json()["data"]["status"] == "sent"


@pytest.mark.parametrize(
    "members", [{}, {"message_type": "CLIENT_MESSAGE"}, {"message_type": 5}, {"event": "nonsense"}]
)
def test_what_is_not_asked_for_is_refused(bot: LegacyBot, chat: Chat, members: dict[str, Any]) -> None:
    answer = bot.send({"chat_id": chat.pk, **members})
    assert_problem(answer, 422, "invalid_input", errors=list(members) or ["message_type"])


class TestTheToken:
    def test_unknown_revoked_or_expired_is_401(self, shop: Widget, chat: Chat) -> None:
        now = timezone.now()
        tokens = [
            "legacy-token-of-the-other-platform",
            new_token(),
            plain_text(ApiTokenFactory.create(widget=shop, revoked_at=now)),
            plain_text(ApiTokenFactory.create(widget=shop, expires_at=now)),
        ]
        before = snapshot()
        for token in tokens:
            answer = LegacyBot(token).say(chat.pk, text="Hi")
            assert_problem(answer, 401, "not_authenticated")
            assert token not in answer.content.decode()
        assert snapshot() == before

    def test_of_a_widget_whose_api_is_off_is_403(self) -> None:
        token = plain_text(ApiTokenFactory.create(widget=WidgetFactory.create(api_enabled=False)))
        assert_problem(LegacyBot(token).say(1, text="Hi"), 403, "api_disabled")

    def test_has_one_budget_for_all_addresses(self, bot: LegacyBot, chat: Chat, settings: Settings) -> None:
        settings.API_RATE_LIMIT = 1
        assert bot.client.get("/chats", token=bot.token).status_code == 200
        answer = bot.say(chat.pk, text="Hi")
        assert_problem(answer, 429, "rate_limited")
        assert int(answer.headers["Retry-After"]) >= 1
        assert not Message.objects.exists()

    def test_in_a_header_does_not_count(self, token: str, chat: Chat) -> None:
        bot = LegacyBot("nobody")
        bot.client.token = token
        assert_problem(bot.say(chat.pk, text="Hi"), 401, "not_authenticated")
