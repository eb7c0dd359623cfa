"""Wishes: what people want an assistant to do otherwise, seen before it is approved, and undone as easily.

A preview and an approval ask `planned`: what it answers is what is stored.
"""

from typing import Any, NamedTuple

from django.db import transaction
from django.db.models.functions import Now
from django.utils import timezone

from apps.accounts.models import User
from apps.ai.actions.personas import staff_actor
from apps.ai.models import Assistant
from apps.ai.rules.actors import Actor
from apps.ai.rules.configuration import PersonaAction, PersonaCause
from apps.chats.models import Chat
from apps.core.database import lock
from apps.core.errors import INVALID_INPUT
from apps.core.problems import Problem
from apps.learning.actions import drafts
from apps.learning.actions.approvals import planned
from apps.learning.actions.examining import require_examined
from apps.learning.actions.probation import begin, cancel, decide, running_of
from apps.learning.actions.targets import answered_by, target_of
from apps.learning.actions.texts import rewrite, texts_of, version_of
from apps.learning.errors import (
    NO_ASSISTANT,
    PATCH_REFUSED,
    PERSONA_CONFLICT,
    PREVIEW_OUTDATED,
    PROBATION_RUNNING,
    WISH_STATE,
)
from apps.learning.models import Wish, WishDecision
from apps.learning.rules import patches
from apps.learning.rules.patches import FindNotUnique
from apps.learning.rules.states import Draft, WishAction, WishStatus, may
from apps.leases import wake_workers

MIN_SEEN = 3
TEXT_CHANGED = "text_changed"


class WishTaken(NamedTuple):
    """A wish that was submitted, and for whom."""

    id: int
    assistant_id: int
    status: str


@transaction.atomic
def submit_wish(
    *, widget_id: int, text: str, author: Actor, assistant_id: int | None = None, chat_id: int | None = None
) -> Wish:
    """Keeps a wish for the assistant that is named, else for the default one; a model may draft its patch.

    Raises INVALID_INPUT (422) for a text of which too little is seen, NO_ASSISTANT (409) without any, NOT_FOUND (404)
    for an unknown assistant or chat.
    """
    if len("".join(text.split())) < MIN_SEEN:
        raise INVALID_INPUT(errors={"text": [f"At least {MIN_SEEN} characters that are seen."]})
    assistant = target_of(widget_id, assistant_id, is_path=True)
    if assistant is None:
        raise NO_ASSISTANT()
    if chat_id is not None:
        Chat.objects.for_widget(widget_id).get_or_404("There is no such chat.", pk=chat_id)
    is_drafted = drafts.may_draft(widget_id, assistant)
    wish = Wish.objects.create(
        widget_id=widget_id,
        assistant_id=assistant.pk,
        chat_id=chat_id,
        text=text,
        author=author._asdict(),
        draft=Draft.PENDING if is_drafted else Draft.NONE,
        due_at=Now() if is_drafted else None,
    )
    WishDecision.objects.create(wish=wish, action=WishAction.SUBMITTED, actor=author._asdict())
    if is_drafted:
        wake_workers()
    return wish


@transaction.atomic
def wish_of_person(
    *, widget_id: int, user_id: int, text: str, chat_id: int, message_id: int | None
) -> WishTaken | None:
    """Takes the wish of a person at work in a chat: for the assistant that wrote the message, else for the default one.

    The same wish of theirs for the chat, while it waits for approval, is that one. None where there is no assistant.
    Raises NOT_FOUND (404) for a foreign chat.
    """
    lock(f"learning.wish:{chat_id}")
    assistant_id = message_id and answered_by(widget_id, chat_id=chat_id, message_id=message_id)
    author = staff_actor(User.objects.get(pk=user_id))
    waiting = Wish.objects.for_widget(widget_id).filter(chat_id=chat_id, text=text, status=WishStatus.SUBMITTED)
    same = waiting.filter(author__kind=author.kind, author__id=user_id)
    if assistant_id:
        same = same.filter(assistant_id=assistant_id)
    if (wish := same.first()) is not None:
        return WishTaken(wish.pk, wish.assistant_id, wish.status)
    try:
        wish = submit_wish(
            widget_id=widget_id, text=text, author=author, assistant_id=assistant_id or None, chat_id=chat_id
        )
    except Problem as refused:
        if refused.type is NO_ASSISTANT:
            return None
        raise
    return WishTaken(wish.pk, wish.assistant_id, wish.status)


@transaction.atomic
def approve_wish(
    *,
    widget_id: int,
    wish_id: int,
    actor: Actor,
    fingerprint: str | None = None,
    reason: str = "",
    accept_lost: int | None = None,
) -> None:
    """Makes the wish part of the assistant's text, and puts that on probation.

    Raises NOT_FOUND (404), WISH_STATE, NO_ASSISTANT, PROBATION_RUNNING, PREVIEW_OUTDATED (409), PATCH_REFUSED (422);
    where the examination is asked for, NOT_EXAMINED (409), and LOSES_CASES (409) unless `accept_lost` is how many.
    """
    wish, assistant = _locked(widget_id, wish_id)
    _require(wish, WishAction.APPROVED)
    if assistant is None:
        raise NO_ASSISTANT()
    probation = running_of(widget_id, assistant.pk)
    if probation is not None:
        raise PROBATION_RUNNING()
    plan = planned(wish, assistant, probation)
    if fingerprint is not None and fingerprint != plan.fingerprint:
        raise PREVIEW_OUTDATED()
    if plan.breach is not None:
        raise PATCH_REFUSED(errors={"text": [f"{plan.breach.rule.value}: {plan.breach.detail}"]})
    require_examined(wish, plan, accept_lost)
    patch = patches.dump(plan.changes)
    made = rewrite(
        assistant,
        plan.after,
        actor=actor,
        cause=PersonaCause.WISH,
        wish_id=wish.pk,
        patch=patch,
        summary=(wish.summary if plan.source == "model" else wish.text)[:500],
        reason=reason,
    )
    wish.base_version, wish.version, wish.applied_patch = plan.base_version, made.version, patch
    decide(wish, WishStatus.ON_PROBATION, WishAction.APPROVED, actor=actor, version=made.version, reason=reason)
    begin(assistant, base_version=plan.base_version or 0, wish=wish, at=timezone.now())


@transaction.atomic
def reject_wish(*, widget_id: int, wish_id: int, actor: Actor) -> None:
    """Declines a submitted wish. Raises NOT_FOUND (404), WISH_STATE (409)."""
    wish = Wish.objects.for_widget(widget_id).get_for_update(pk=wish_id)
    _require(wish, WishAction.REJECTED)
    decide(wish, WishStatus.REJECTED, WishAction.REJECTED, actor=actor)


@transaction.atomic
def revert_wish(*, widget_id: int, wish_id: int, actor: Actor) -> None:
    """Undoes what an approval wrote: the text before where the wish's version is live, else its steps, each where it
    stands. Raises NOT_FOUND (404), WISH_STATE, NO_ASSISTANT, PERSONA_CONFLICT (409): then nothing changes.
    """
    wish, assistant = _locked(widget_id, wish_id)
    _require(wish, WishAction.REVERTED)
    if assistant is None or wish.base_version is None or wish.applied_patch is None:
        raise NO_ASSISTANT()
    base = texts_of(version_of(assistant, wish.base_version))
    is_live = wish.version == assistant.persona_version
    try:
        steps = patches.inverse(base, patches.load(wish.applied_patch))
        texts = base if is_live else patches.applied(texts_of(assistant), steps)
    except FindNotUnique:
        raise PERSONA_CONFLICT() from None
    _end_probation_of_others(widget_id, assistant, wish, actor)
    told: dict[str, Any] = {"restores": wish.base_version} if is_live else {"patch": patches.dump(steps)}
    made = rewrite(
        assistant,
        texts,
        actor=actor,
        cause=PersonaCause.REVERT,
        action=PersonaAction.WISH_REVERTED,
        wish_id=wish.pk,
        **told,
    )
    decide(wish, WishStatus.REVERTED, WishAction.REVERTED, actor=actor, version=made.version)


def _end_probation_of_others(widget_id: int, assistant: Assistant, wish: Wish, actor: Actor) -> None:
    """A text that changes under a probation makes its figures say nothing: another wish's stays, unjudged."""
    probation = running_of(widget_id, assistant.pk)
    if probation is None:
        return
    cancel(probation)
    if probation.wish_id not in (None, wish.pk):
        other = Wish.objects.for_widget(widget_id).get_for_update(pk=probation.wish_id)
        decide(other, WishStatus.KEPT, WishAction.KEPT, actor=actor, version=probation.version, reason=TEXT_CHANGED)


def _locked(widget_id: int, wish_id: int) -> tuple[Wish, Assistant | None]:
    """The wish and its assistant, the assistant first: in the order in which the end of a probation locks them."""
    wish = Wish.objects.for_widget(widget_id).get_or_404(pk=wish_id)
    rows = Assistant.objects.for_widget(widget_id).filter(pk=wish.assistant_id)
    assistant = rows.select_for_update(no_key=True).first()
    return Wish.objects.for_widget(widget_id).get_for_update(pk=wish_id), assistant


def _require(wish: Wish, action: WishAction) -> None:
    if not may(wish.status, action):
        raise WISH_STATE(wish_status=wish.status)
