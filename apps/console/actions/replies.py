"""Operators keep canned replies."""

from collections.abc import Mapping
from typing import Any

from django.db import transaction

from apps.accounts.models import Widget
from apps.agents.models import Agent
from apps.console.models import CannedReply
from apps.console.rules.canned_replies import number_refusal
from apps.console.rules.translated_replies import stale_translations
from apps.core.database.changes import save_changed, set_changes
from apps.core.errors import INVALID_INPUT, NOT_FOUND


@transaction.atomic
def write_reply(*, agent: Agent, changes: Mapping[str, Any], reply_id: int | None = None) -> CannedReply:
    """Makes a canned reply, or changes the named fields of one that the operator has at hand.

    `changes` may have shortcut, body and is_shared: whether it is the widget's, or the operator's own.

    Raises NOT_FOUND (404), also for another operator's own reply; INVALID_INPUT (422) on `shortcut` when its owner has
    it already, on `is_shared` when the owner would have too many.
    """
    # Replies are counted, and compared, under the widget's lock.
    Widget.objects.select_for_update(no_key=True).get(pk=agent.widget_id)
    if reply_id is None:
        reply = CannedReply(widget_id=agent.widget_id, agent=agent)
    else:
        reply = CannedReply.objects.for_widget(agent.widget_id).at_hand(agent).get_for_update(pk=reply_id)
    was_shared = reply.agent_id is None
    is_shared = changes.get("is_shared", was_shared)
    if is_shared is not was_shared:
        reply.agent = None if is_shared else agent
    changed = set_changes(reply, {name: changes[name] for name in ("shortcut", "body") if name in changes})
    if "body" in changed and reply.translations:
        reply.translations = stale_translations(reply.translations)
        changed = [*changed, "translations"]
    others = CannedReply.objects.for_widget(agent.widget_id).filter(agent=reply.agent_id)
    if reply_id is not None:
        others = others.exclude(pk=reply_id)
    refusal = number_refusal(is_shared=is_shared, count=others.count())
    if refusal and (reply_id is None or is_shared is not was_shared):
        raise INVALID_INPUT(errors={"is_shared": [refusal]})
    if others.filter(shortcut=reply.shortcut).exists():
        raise INVALID_INPUT(errors={"shortcut": ["There is a reply with this shortcut already."]})
    if reply_id is None:
        reply.save(force_insert=True)
    else:
        save_changed(reply, [*changed, *(["agent"] if is_shared is not was_shared else [])])
    return reply


@transaction.atomic
def delete_reply(*, agent: Agent, reply_id: int) -> None:
    """Deletes a canned reply that the operator has at hand. Raises NOT_FOUND (404), as `write_reply` does."""
    if not CannedReply.objects.for_widget(agent.widget_id).at_hand(agent).filter(pk=reply_id).delete()[0]:
        raise NOT_FOUND()
