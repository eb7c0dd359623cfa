"""A chat that an external operator answers: Robin, whose bot is on loopback, and the deliverer's work by hand."""

import json
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import requests
from django.utils import timezone

from apps.agents.models import Agent
from apps.ai.actions.external import create_external_operator, issue_reply_token, move_operator
from apps.ai.actions.probes import begin_test
from apps.ai.models import ExternalOperator, ReplyJob, Turn
from apps.ai.rules.actors import SYSTEM
from apps.ai.rules.lifecycle import Action
from apps.webhooks import dispatcher, rules
from apps.webhooks.actions import deliveries
from apps.webhooks.actions.deliveries import Ended
from apps.webhooks.rules import AttemptVerdict
from tests.ai.bot import Bot, framed
from tests.ai.desk import Desk
from tests.client import ApiClient
from tests.waits import AT_MOST_S


@dataclass(slots=True)
class ExternalDesk:
    """The desk of the shop with Robin at it, and what Robin's bot may do."""

    desk: Desk
    operator: ExternalOperator
    bot: Bot
    api: ApiClient

    def delivers(self) -> int:
        """What is due is posted, as the deliverer does it; how many posts that were."""
        posts = 0
        for claimed, to in deliveries.addressed(deliveries.claim(wanted=50, room={}, default_room=50)):
            if isinstance(to, AttemptVerdict):
                deliveries.finish([Ended(claimed, to)])
                continue
            body, headers = dispatcher._request(claimed, to)
            answer = requests.post(to.url, body, headers=headers, timeout=AT_MOST_S)
            verdict = rules.after_answer(answer.status_code, attempts_before=claimed.attempts_before)
            deliveries.finish([Ended(claimed, verdict, timezone.now(), 1, answer.text)])
            posts += 1
        return posts

    def asks(self, text: str = "Сколько стоят розы?") -> Turn:
        """Ivan writes, the quiet passes, the chat's job works: the turn that was made."""
        self.desk.writes(text)
        self.desk.quiet()
        self.desk.works()
        return self.turn

    @property
    def turn(self) -> Turn:
        """The newest."""
        return Turn.objects.order_by("-id")[0]

    def answers(self, turn: Turn, content: str | None = "По 80.", *, signed_by: str | None = None, **more: Any) -> Any:
        """The bot replies to a turn."""
        body = {"room_id": turn.chat_id, "causation_id": turn.causation_id, "content": content, **more}
        raw = json.dumps(body).encode()
        headers = {}
        if signed_by is not None:
            headers = framed(signed_by, str(self.operator.public_id), self.operator.widget.guid, raw)
        return self.api.post(
            "/ai/replies", data=raw, content_type="application/json", headers=headers, idempotency_key=None
        )

    def time_is_up(self) -> None:
        """The newest turn's deadline passes, and the chat's job works."""
        Turn.objects.filter(pk=self.turn.pk).update(deadline_at=timezone.now() - timedelta(seconds=1))
        ReplyJob.objects.filter(due_at__isnull=False).update(due_at=timezone.now())
        self.desk.works()

    def moves(self, action: str, **options: Any) -> Any:
        self.operator.refresh_from_db()
        moved = move_operator(
            widget_id=self.desk.widget.pk,
            public_id=self.operator.public_id,
            action=Action(action),
            actor=SYSTEM,
            **options,
        )
        self.operator.refresh_from_db()
        return moved

    def said(self, after: int = 0) -> list[str]:
        return [said.body for said in self.desk.said(after=after) if said.sender_kind != "client"]


def external_desk_of(desk: Desk, bot: Bot, **options: Any) -> ExternalDesk:
    """Robin at the desk: proved by a real test, and active."""
    operator = create_external_operator(
        widget=desk.widget, name="Robin", url=bot.url, target=bot.url, actor=SYSTEM, **options
    )
    issued = issue_reply_token(operator=operator, actor=SYSTEM)
    made = ExternalDesk(desk, operator, bot, ApiClient(issued.plain_text))
    bot.secret = operator.secret or ""
    begin_test(widget_id=desk.widget.pk, public_id=operator.public_id, actor=SYSTEM)
    made.delivers()
    made.moves("activate")
    bot.heard.clear()
    return made


def nobody_else(desk: Desk) -> None:
    """The shop has no AI operator who is able."""
    Agent.objects.filter(pk=desk.operator.pk).update(status="relaxation")
