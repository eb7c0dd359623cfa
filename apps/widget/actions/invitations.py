"""Making, changing and deleting invitations to chat, and the widget's settings of them."""

from collections.abc import Mapping
from typing import Any

from django.db import transaction
from django.utils import timezone

from apps.accounts.models import Widget
from apps.agents.models import Agent, Department
from apps.core.database.changes import save_changed, set_changes
from apps.core.errors import INVALID_INPUT
from apps.widget.actions.settings import locked_settings
from apps.widget.errors import TOO_MANY_INVITATIONS
from apps.widget.models import ChatInvitation
from apps.widget.querysets.settings import settings_of
from apps.widget.rules.fields import SUPPORTED
from apps.widget.rules.invitation_rules import read_rule
from apps.widget.rules.invitations import (
    MAX_INVITATIONS,
    MAX_LIVE,
    OF_ROUND,
    InvitationSpeaker,
    InvitationState,
    definition_refusals,
    read_goal,
    settings_refusals,
    stored_settings,
)

_PLAIN = (
    "name",
    "state",
    "texts",
    "buttons",
    "priority",
    "holdout",
    "per_day",
    "starts_at",
    "ends_at",
    "department_id",
)


@transaction.atomic
def create_invitation(*, widget_id: int, values: Mapping[str, Any]) -> ChatInvitation:
    """Adds an invitation; `values` are members of the API.

    Raises INVALID_INPUT (422) by path, TOO_MANY_INVITATIONS (409) beyond 50 of a widget, or 20 live ones.
    """
    _lock(widget_id)
    _refuse(widget_id, values)
    invitations = ChatInvitation.objects.for_widget(widget_id)
    if invitations.count() >= MAX_INVITATIONS:
        raise TOO_MANY_INVITATIONS()
    invitation = ChatInvitation(widget_id=widget_id, **_columns(values))
    _refuse_dates(invitation)
    _refuse_live(invitation)
    invitation.save(force_insert=True)
    return invitation


@transaction.atomic
def change_invitation(*, widget_id: int, invitation_id: int, changes: Mapping[str, Any]) -> ChatInvitation:
    """Changes the given members. Other texts, buttons, `from`, rule, goal or holdout begin a new round.

    Raises NOT_FOUND (404), INVALID_INPUT (422) by path, TOO_MANY_INVITATIONS (409) beyond 20 live ones.
    """
    _lock(widget_id)
    invitation = ChatInvitation.objects.for_widget(widget_id).get_for_update(pk=invitation_id)
    _refuse(widget_id, changes)
    columns = _columns(changes)
    changed = set_changes(invitation, columns)
    _refuse_dates(invitation)
    if "state" in changed:
        _refuse_live(invitation)
    if any(name in changed for name in (*OF_ROUND, "speaker", "agent_id")):
        invitation.round += 1
        invitation.round_since = timezone.now()
        changed += ["round", "round_since"]
    save_changed(invitation, changed)
    return invitation


@transaction.atomic
def delete_invitation(*, widget_id: int, invitation_id: int) -> None:
    """Deletes an invitation and its figures; chats that began with it keep its name. Raises NOT_FOUND (404)."""
    ChatInvitation.objects.for_widget(widget_id).get_for_update(pk=invitation_id).delete()


@transaction.atomic
def change_invitation_settings(*, widget_id: int, changes: Mapping[str, Any]) -> dict[str, Any]:
    """Changes the given settings of invitations. Raises INVALID_INPUT (422) by path."""
    if refusals := settings_refusals(changes):
        raise INVALID_INPUT(errors={path: [text] for path, text in refusals.items()})
    row = locked_settings(widget_id)
    if changed := set_changes(row, {"invitations": {**row.invitations, **changes}}):
        save_changed(row, changed)
    return stored_settings(row.invitations)


def _lock(widget_id: int) -> None:
    """Invitations are counted under the widget's lock."""
    Widget.objects.select_for_update(no_key=True).get(pk=widget_id)


def _refuse(widget_id: int, values: Mapping[str, Any]) -> None:
    refusals = definition_refusals(values, supported=settings_of(widget_id).values[SUPPORTED])
    agent_id = (values.get("from") or {}).get("agent_id")
    if agent_id is not None and "from.agent_id" not in refusals:
        people = Agent.objects.for_widget(widget_id).not_banned().filter(type=Agent.Type.HUMAN)
        if not people.filter(pk=agent_id).exists():
            refusals["from.agent_id"] = "There is no such operator."
    department_id = values.get("department_id")
    if department_id is not None:
        departments = Department.objects.for_widget(widget_id).filter(internal=False)
        if not departments.filter(pk=department_id).exists():
            refusals["department_id"] = "There is no such department for visitors."
    if refusals:
        raise INVALID_INPUT(errors={path: [text] for path, text in refusals.items()})


def _refuse_dates(invitation: ChatInvitation) -> None:
    starts_at, ends_at = invitation.starts_at, invitation.ends_at
    if starts_at is not None and ends_at is not None and ends_at <= starts_at:
        raise INVALID_INPUT(errors={"ends_at": ["It is not after `starts_at`."]})


def _refuse_live(invitation: ChatInvitation) -> None:
    if invitation.state != InvitationState.LIVE:
        return
    others = ChatInvitation.objects.for_widget(invitation.widget_id).live().exclude(pk=invitation.pk or 0)
    if others.count() >= MAX_LIVE:
        raise TOO_MANY_INVITATIONS()


def _columns(values: Mapping[str, Any]) -> dict[str, Any]:
    columns = {name: values[name] for name in _PLAIN if name in values}
    if "rule" in values:
        columns["rule"] = read_rule(values["rule"])
    if "goal" in values:
        columns["goal"] = read_goal(values["goal"])
    if "from" in values:
        speaker = values["from"] or {"kind": InvitationSpeaker.WIDGET}
        columns |= {"speaker": speaker["kind"], "agent_id": speaker.get("agent_id")}
    if "per_visitor" in values:
        columns |= values["per_visitor"]
    return columns
