"""Reads of who is signed in as an operator, and whether they still may be."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.sessions.models import Session
from django.db.models import OuterRef, Subquery
from django.db.models.functions import Now
from django_otp import DEVICE_ID_SESSION_KEY

from apps.accounts.models import Authenticator, BackupCodes
from apps.agents.models import Agent

if TYPE_CHECKING:
    from apps.accounts.models import User


@dataclass(frozen=True, slots=True)
class SignIn:
    """In whose name a socket is open: an operator, the person behind it, and the session they signed in with."""

    agent_id: int
    user_id: int
    session_key: str


def operators_of(user_id: int, *, by_password_alone: bool = False) -> list[Agent]:
    """A person's operators, one a widget: human, not banned, with the widgets; oldest first.

    Empty for a person who came by their password alone, and has a second factor or has to have one.
    """
    operators = (
        Agent.objects.unscoped("the signed-in person's operators")
        .people()
        .filter(user_id=user_id, user__is_active=True)
    )
    if by_password_alone and settings.REQUIRE_TWO_FACTOR:
        return []
    if by_password_alone:
        operators = operators.exclude(user__authenticator__confirmed=True)
    return list(operators.select_related("widget", "user").order_by("id"))


def chosen(operators: Collection[Agent], widget_guid: str | None) -> Agent | None:
    """The operator at the widget that a session picked, else the first one; None for a person who is none."""
    picked = [operator for operator in operators if operator.widget.guid == widget_guid]
    return next(iter([*picked, *operators]), None)


def ended_among(sign_ins: Collection[SignIn]) -> set[SignIn]:
    """The sign-ins whose sockets must be closed.

    The operator is banned, removed or another person's, the person may not sign in any more, has another password, the
    session lacks a second factor that is asked of it or has one that was reset, or it has ended. Two statements.
    """
    agent_ids, session_keys = {each.agent_id for each in sign_ins}, {each.session_key for each in sign_ins}
    agents = (
        Agent.objects.unscoped("of this process's sockets")
        .people()
        .filter(pk__in=agent_ids, user__is_active=True)
        .select_related("user")
    )
    authenticators = Authenticator.objects.filter(user=OuterRef("user"), confirmed=True).values("pk")
    codes = BackupCodes.objects.filter(user=OuterRef("user")).values("pk")
    found: Iterable[Any] = agents.annotate(authenticator_id=Subquery(authenticators), codes_id=Subquery(codes))
    people = {agent.pk: (agent.user, agent.authenticator_id, agent.codes_id) for agent in found}
    sessions = Session.objects.filter(session_key__in=session_keys, expire_date__gt=Now())
    of_session = {session.session_key: session for session in sessions}
    return {
        each
        for each in sign_ins
        if not _stands(each, *people.get(each.agent_id, (None, None, None)), of_session.get(each.session_key))
    }


def _stands(
    sign_in: SignIn, person: User | None, authenticator_id: int | None, codes_id: int | None, session: Session | None
) -> bool:
    if person is None or person.pk != sign_in.user_id or session is None:
        return False
    stored = session.get_decoded()
    return (
        BACKEND_SESSION_KEY in stored
        and _has_factor(stored.get(DEVICE_ID_SESSION_KEY), authenticator_id, codes_id)
        and stored.get(SESSION_KEY) == str(person.pk)
        and person.has_session_hash(stored.get(HASH_SESSION_KEY, ""))
    )


def _has_factor(device: str | None, authenticator_id: int | None, codes_id: int | None) -> bool:
    """Whether a session has the second factor that is asked of it: the very one that is there now."""
    if device is None:
        return authenticator_id is None and not settings.REQUIRE_TWO_FACTOR
    there = {Authenticator(pk=authenticator_id).persistent_id, BackupCodes(pk=codes_id).persistent_id}
    return authenticator_id is not None and device in there
