"""What automations tell operators by mail."""

from datetime import timedelta

from django.utils import timezone

from apps.accounts.models import Widget
from apps.agents.models import Agent
from apps.automations.events import NoticeMailWanted
from apps.chats.models import Chat
from apps.core import bus
from apps.core.models import Mail
from apps.core.quotas import QuotaUse
from apps.letters.actions.waiting import change_notice_settings
from tests.cast import Rival
from tests.factories import AgentFactory


def tell(chat: Chat, *agents: Agent) -> list[str]:
    """The addresses that were written to."""
    known = set(Mail.objects.values_list("pk", flat=True))
    ids = tuple(agent.pk for agent in agents)
    text = "Ждёт <b>10</b> минут"
    bus.publish(
        NoticeMailWanted(widget_id=chat.widget_id, chat_id=chat.pk, agent_ids=ids, name="Никто не ответил", text=text)
    )
    return list(Mail.objects.exclude(pk__in=known).order_by("pk").values_list("to", flat=True))


def test_it_says_the_text_and_leads_to_the_chat(chat: Chat, alice: Agent, shop: Widget) -> None:
    assert tell(chat, alice) == [alice.email]
    letter = Mail.objects.get()
    assert letter.subject == f"Никто не ответил: {shop.name}"
    assert "Ждёт <b>10</b> минут" in letter.text
    assert "Ждёт &lt;b&gt;10&lt;/b&gt; минут" in letter.html
    assert f"/console/?widget={shop.guid}#/chats/{chat.pk}" in letter.text


def test_one_in_ten_minutes_to_each(chat: Chat, alice: Agent) -> None:
    bob = AgentFactory.create(widget=chat.widget, email="bob@shop.test")
    assert tell(chat, alice) == [alice.email]
    assert tell(chat, alice, bob) == [bob.email]
    QuotaUse.objects.update(at=timezone.now() - timedelta(minutes=10, seconds=1))
    assert tell(chat, alice) == [alice.email]


def test_quiet_hours_hold_and_others_operators_are_nobody(chat: Chat, alice: Agent, rival: Rival) -> None:
    now = timezone.now()
    begin, end = now - timedelta(hours=1), now + timedelta(hours=1)
    quiet = {"from": f"{begin:%H:%M}", "to": f"{end:%H:%M}", "zone": "UTC"}
    change_notice_settings(widget_id=chat.widget_id, agent_id=alice.pk, waiting=True, quiet=quiet)
    assert tell(chat, alice, rival.agent) == []
    assert not QuotaUse.objects.filter(scope="letters.notice").exists()
