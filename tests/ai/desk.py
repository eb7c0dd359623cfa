"""A chat that an AI operator answers: the shop's Flora, a vendor on loopback, and Ivan who writes."""

from dataclasses import dataclass
from datetime import timedelta
from typing import Any
from uuid import UUID

from django.utils import timezone

from apps.accounts.models import Widget
from apps.agents.models import Agent
from apps.ai.actions.settings import change_settings
from apps.ai.models import Assistant, Conversation, Credential, Exchange, ReplyJob
from apps.ai.tasks import QUEUE
from apps.chats import actions
from apps.chats.models import Chat, Message
from apps.demo.servers.language_models import Vendor
from apps.leases import Lease, claims
from tests.factories.ai import AssistantFactory, CredentialFactory


@dataclass(slots=True)
class Desk:
    """Lets Ivan write, people act, and the worker work; tells what was said."""

    widget: Widget
    chat: Chat
    operator: Agent
    assistant: Assistant
    credential: Credential
    vendor: Vendor

    def writes(self, text: str = "Сколько стоят розы?", **options: Any) -> int:
        content = {"type": "text", "body": text}
        return actions.post_client_message(contact=self.chat.contact, content=content, **options).id

    def person_writes(self, agent: Agent, text: str = "Я здесь", **options: Any) -> int:
        posted = actions.post_agent_message(
            widget_id=self.widget.pk,
            chat_id=self.chat.pk,
            agent_id=agent.pk,
            content={"type": "text", "body": text},
            **options,
        )
        return posted.id

    def take(self) -> Lease[ReplyJob]:
        """The lease of the chat's job, which is due at once."""
        ReplyJob.objects.filter(due_at__isnull=False).update(due_at=timezone.now())
        (lease,) = claims.claim(QUEUE, wanted=1)
        return lease

    def works(self) -> None:
        """A worker takes what is due, and works until nothing is."""
        for _ in range(9):
            leases = claims.claim(QUEUE, wanted=9)
            for lease in leases:
                lease.run()
            if not leases:
                return
        raise AssertionError("it works for ever")

    def answers(self, text: str | None = None, **options: Any) -> list[str]:
        """Ivan writes, the quiet passes, a worker works: what was said then, notes apart."""
        before = self.newest
        self.writes(*([text] if text is not None else []), **options)
        self.quiet()
        self.works()
        return [said.body for said in self.said(after=before) if said.sender_kind != "client"]

    def quiet(self) -> None:
        """The quiet after a message passes."""
        ReplyJob.objects.filter(due_at__lt=timezone.now() + timedelta(seconds=5)).update(due_at=timezone.now())

    def passes(self, **span: float) -> None:
        """So much time passes: all that happened is as much older."""
        ago = timedelta(**span)
        for model, names in (
            (Message, ("created_at",)),
            (Chat, ("handed_over_at", "expired_at", "handled_at", "last_message_at", "waiting_since")),
            (Conversation, ("mode_since",)),
            (ReplyJob, ("due_at", "waiting_since")),
        ):
            for row in model.objects.all():  # type: ignore[attr-defined]
                values = {name: at - ago for name in names if (at := getattr(row, name))}
                type(row).objects.filter(pk=row.pk).update(**values)
        self.widget.ai_settings.__class__.objects.update(enabled_since=timezone.now() - 30 * timedelta(days=1))

    @property
    def newest(self) -> int:
        return Message.objects.order_by("-id").values_list("id", flat=True).first() or 0

    def said(self, after: int = 0) -> list[Message]:
        return list(Message.objects.filter(chat=self.chat, id__gt=after, is_internal=False).order_by("id"))

    def notes(self) -> list[Message]:
        return list(Message.objects.filter(chat=self.chat, is_internal=True).order_by("id"))

    @property
    def now(self) -> Chat:
        return Chat.objects.get(pk=self.chat.pk)

    @property
    def job(self) -> ReplyJob:
        return ReplyJob.objects.get(chat=self.chat)

    @property
    def exchange(self) -> Exchange:
        """The newest."""
        return Exchange.objects.order_by("-id")[0]

    def prompt(self, number: int = -1) -> Any:
        """What the vendor was asked, as it came."""
        return self.vendor.asked[number].json

    def client_ids(self) -> list[UUID]:
        found = Message.objects.filter(chat=self.chat, client_id__isnull=False)
        return list(found.values_list("client_id", flat=True))

    def switch(self, **changes: Any) -> None:
        change_settings(widget_id=self.widget.pk, changes=changes)


def desk_of(*, chat: Chat, operator: Agent, vendor: Vendor, **switches: Any) -> Desk:
    """The chat's widget with AI switched on."""
    widget, url = chat.widget, f"{vendor.url}/v1"
    credential = CredentialFactory.create(
        widget=widget, provider="openai_compatible", base_url=url, target=url, model="m-1"
    )
    assistant = AssistantFactory.create(
        widget=widget, persona="Ты Флора. Роза: 90 рублей.", escalation_triggers=["возврат*"], is_default=True
    )
    Agent.objects.filter(pk=operator.pk).update(ai_assistant_id=assistant.pk)
    desk = Desk(widget, chat, operator, assistant, credential, vendor)
    desk.switch(enabled=True, **switches)
    return desk
