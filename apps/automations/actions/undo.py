"""Taking back the acts of automations and macros, where they still stand.

The acts of a run are taken back in the reverse of their order, each for itself.
"""

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils import timezone

from apps import leases
from apps.agents.models import Agent
from apps.automations.errors import ALREADY_UNDONE
from apps.automations.models import Automation, AutomationRun, UndoJob
from apps.automations.rules.runs import ActResult
from apps.chats import actions as chats
from apps.chats.actions.changes import locked_chat
from apps.chats.models import Chat, ContactTag
from apps.chats.rules.folding import alike

CANNOT, CHANGED_SINCE = "cannot", "changed_since"
Before = Mapping[str, Any]


@transaction.atomic
def undo_run(*, widget_id: int, run_id: int, agent: Agent | None = None) -> dict[str, Any]:
    """Takes a run back, for good: `{undone [do], kept [{do, why}]}`, in the order of its acts.

    `kept` says why: `changed_since`, `gone`, or `cannot` for words that have left the house. Skipped acts, and those
    that found all as it was to be, are in neither. `agent` takes back the runs of their own macros alone.

    Raises NOT_FOUND (404), also for another's run; ALREADY_UNDONE (409).
    """
    runs = AutomationRun.objects.for_widget(widget_id)
    runs = runs if agent is None else runs.filter(agent=agent, automation=None)
    chat = locked_chat(widget_id, runs.get_or_404(pk=run_id).chat_id)
    run = runs.get_for_update(pk=run_id)
    if run.undone_at is not None:
        raise ALREADY_UNDONE()
    undone: list[str] = []
    kept: list[dict[str, str]] = []
    for number, done in reversed(list(enumerate(run.did))):
        if done["result"] != ActResult.DONE:
            continue
        before = run.before[number] if number < len(run.before) else None
        if done["do"] in _CANNOT:
            kept.insert(0, {"do": done["do"], "why": CANNOT})
        elif before is not None:
            why = _take_back(chat, before)
            if why is None:
                undone.insert(0, done["do"])
            else:
                kept.insert(0, {"do": done["do"], "why": why})
    run.undone_at = timezone.now()
    run.save(update_fields=["undone_at"])
    return {"undone": undone, "kept": kept}


@transaction.atomic
def undo_since(*, widget_id: int, automation_id: int, since: datetime) -> int:
    """Hands all runs of an automation since a moment to a worker, which takes them back, the newest first; returns how
    many they are.

    Raises NOT_FOUND (404).
    """
    automation = Automation.objects.for_widget(widget_id).get_for_update(pk=automation_id)
    count: int = _runs_since(automation.pk, since).count()
    if count:
        waiting = UndoJob.objects.for_widget(widget_id).filter(automation=automation, due_at__isnull=False).first()
        since = min(since, waiting.since) if waiting else since
        leases.enqueue(
            UndoJob, unique={"automation_id": automation.pk}, values={"widget_id": widget_id, "since": since}
        )
        leases.wake_workers()
    return count


def undo_runs(lease: leases.Lease[UndoJob]) -> None:
    """The work of the queue of undoings: each run in a transaction of its own."""
    job = lease.row
    while not lease.must_stop:
        newest = _runs_since(job.automation_id, job.since).order_by("-pk").values_list("pk", flat=True).first()
        if newest is None:
            lease.drop()
            return
        undo_run(widget_id=job.widget_id, run_id=newest)
    lease.give_back()


def _runs_since(automation_id: int, since: datetime) -> Any:
    runs = AutomationRun.objects.unscoped("of an automation read with its widget")
    return runs.filter(automation_id=automation_id, at__gte=since, undone_at=None)


def _take_back(chat: Chat, before: Before) -> str | None:
    """Takes one act back; returns why it was not."""
    for member, take_back in _TAKING_BACK.items():
        if member in before:
            return take_back(chat, before)
    return CANNOT


def _columns(chat: Chat, before: Before) -> str | None:
    return chats.restore_chat(
        widget_id=chat.widget_id,
        chat_id=chat.pk,
        was=before["was"],
        left=before["left"],
        after_id=before["after_id"],
        step_id=before.get("step_id"),
    )


def _tagged(chat: Chat, before: Before) -> str | None:
    contact = chat.contact
    is_undone = chats.untag_contact(widget_id=contact.widget_id, guid=contact.guid, name=before["tagged"])
    return None if is_undone else CHANGED_SINCE


def _untagged(chat: Chat, before: Before) -> str | None:
    contact, name = chat.contact, before["untagged"]
    attached = ContactTag.objects.unscoped("of a contact read with its widget").filter(contact=contact)
    if any(alike(each) == alike(name) for each in attached.values_list("tag__name", flat=True)):
        return CHANGED_SINCE
    chats.tag_contact(widget_id=contact.widget_id, guid=contact.guid, names=[name])
    return None


def _attribute(chat: Chat, before: Before) -> str | None:
    contact, key = chat.contact, before["key"]
    contact.refresh_from_db(fields=["attributes"])
    if contact.attributes.get(key) != before["set"]:
        return CHANGED_SINCE
    changes = {"attributes": {key: before["had"]}}
    chats.update_contact(widget_id=contact.widget_id, guid=contact.guid, changes=changes)
    return None


def _note(chat: Chat, before: Before) -> str | None:
    return chats.take_back_note(widget_id=chat.widget_id, chat_id=chat.pk, message_id=before["message_id"])


# By a member that an act kept (`actions/acts`).
_TAKING_BACK: Mapping[str, Callable[[Chat, Before], str | None]] = {
    "was": _columns,
    "tagged": _tagged,
    "untagged": _untagged,
    "key": _attribute,
    "message_id": _note,
}
_CANNOT = ("reply", "notify", "webhook", "ask_rating")
