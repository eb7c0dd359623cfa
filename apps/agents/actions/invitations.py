"""Inviting people, taking invitations back, and accepting them (specification, "Agents")."""

from datetime import timedelta

from django.contrib.auth.hashers import make_password
from django.db import transaction
from django.db.models import F, Q
from django.utils import timezone

from apps.accounts.actions import add_user
from apps.accounts.models import User, Widget
from apps.agents import rules
from apps.agents.actions.departments import add_agent
from apps.agents.actions.event_log import record_event
from apps.agents.actions.seats import Seats, lock_seats
from apps.agents.errors import (
    ALREADY_AN_AGENT,
    ALREADY_INVITED,
    INVITATION_LIMIT_REACHED,
    MAIL_FAILED,
    SEAT_LIMIT_REACHED,
)
from apps.agents.events import AgentChanged
from apps.agents.mail import invitation_mail
from apps.agents.models import Agent, Department, Invitation
from apps.core import bus, mail
from apps.core.database.constraints import unique_or
from apps.core.endpoints.outbound_writes import ExternalCall
from apps.core.quotas import Quota

SENT = Quota("agents.invitations", rules.INVITATIONS_AN_HOUR, timedelta(hours=1), INVITATION_LIMIT_REACHED)


class NoInvitation(Exception):
    """The link leads to no invitation that could be accepted; `status` says what has become of it, None of none."""

    def __init__(self, status: str | None) -> None:
        super().__init__(status)
        self.status = status


class InviteeHasAccount(Exception):
    """The invited address has an account: its password is asked for, not a new one."""


def invite(*, email: str, language: str, outbound: ExternalCall, department_id: int | None = None) -> Invitation:
    """Sends an invitation's mail and, once the mail server has it, stores the invitation ("Agents").

    The operator that it brings is in that department of the widget, if it is still there then.

    The refusals are checked before the mail is sent and, as the mail server is waited for without any lock, again when
    the invitation is stored. Should it be refused only then (another request took the last seat, an agent was
    restored), or the process end in between, the mail that went out has a link that never works. Such mails are few, as
    few requests of a process may wait at once.

    A refusal stores nothing, leaves the claim free and uses up nothing of the 10 an hour. Raises
    IDEMPOTENCY_KEY_REUSED, SEAT_LIMIT_REACHED, ALREADY_INVITED, ALREADY_AN_AGENT (409), INVITATION_LIMIT_REACHED,
    BulkheadFull (429), MAIL_FAILED (502).
    """
    widget_id = outbound.widget_id
    with transaction.atomic(durable=True):
        _require_room(widget_id, email)
    widget_name = Widget.objects.values_list("name", flat=True).get(pk=widget_id)
    secret = rules.new_secret()
    invitation = invitation_mail(email=email, widget_name=widget_name, secret=secret, language=language)
    try:
        with outbound.slot():
            mail.send(invitation)
    except mail.MailFailed:
        raise MAIL_FAILED() from None
    with outbound.write():
        _require_room(widget_id, email)
        stored = _store(widget_id, email, secret, department_id)
        outbound.made(stored.pk)
        return stored


def resend_invitation(invitation: Invitation, *, language: str, outbound: ExternalCall) -> None:
    """Sends the mail of a pending invitation again, with another link: the one before is dead once it is stored.

    Raises NOT_FOUND (404) for one that is not pending any more, INVITATION_LIMIT_REACHED, BulkheadFull (429),
    MAIL_FAILED (502): the link before goes on working then.
    """
    with transaction.atomic(durable=True):
        _pending(invitation)
        SENT.require(invitation.widget_id)
    name, secret = invitation.widget.name, rules.new_secret()
    try:
        with outbound.slot():
            mail.send(invitation_mail(email=invitation.email, widget_name=name, secret=secret, language=language))
    except mail.MailFailed:
        raise MAIL_FAILED() from None
    with outbound.write():
        found = _pending(invitation)
        SENT.spend(invitation.widget_id)
        found.digest = rules.secret_digest(secret)
        found.expires_at = timezone.now() + rules.INVITATION_LIVES
        found.save(update_fields=["digest", "expires_at"])


def _pending(invitation: Invitation) -> Invitation:
    """The invitation as it is stored, locked. Raises NOT_FOUND for one that is not pending any more."""
    pending = Invitation.objects.for_widget(invitation.widget_id).outstanding(timezone.now())
    found: Invitation = pending.select_for_update(of=("self",)).get_or_404(pk=invitation.pk)
    return found


def _require_room(widget_id: int, email: str) -> None:
    """Refuses what stands against an invitation; the widget's seats stay locked until the transaction ends."""
    seats, now = lock_seats(widget_id), timezone.now()
    invitations = Invitation.objects.for_widget(widget_id)
    SENT.require(widget_id)
    if Agent.objects.for_widget(widget_id).of_person(email).not_banned().exists():
        raise ALREADY_AN_AGENT()
    outstanding = invitations.outstanding(now)
    if outstanding.to(email).exists():
        raise ALREADY_INVITED()
    if not rules.may_invite(seats=seats.seats, taken=seats.taken, outstanding=outstanding.count()):
        raise SEAT_LIMIT_REACHED()


def _store(widget_id: int, email: str, secret: str, department_id: int | None) -> Invitation:
    SENT.spend(widget_id)
    department = Department.objects.for_widget(widget_id).filter(pk=department_id).first() if department_id else None
    now = timezone.now()  # not the beginning of a transaction that has waited for the lock
    invitation = Invitation.objects.create(
        widget_id=widget_id,
        email=email,
        department=department,
        digest=rules.secret_digest(secret),
        created_at=now,
        expires_at=now + rules.INVITATION_LIVES,
    )
    return Invitation.objects.for_widget(widget_id).for_api().get_or_404(pk=invitation.pk)


@transaction.atomic
def revoke_invitation(invitation: Invitation) -> None:
    """Takes a pending invitation back: its link is dead at once, its seat free for another.

    Raises NOT_FOUND (404) for one that is not pending any more, whatever the caller has read.
    """
    found = _pending(invitation)
    found.status = Invitation.Status.REVOKED
    found.save(update_fields=["status"])


def accept_invitation(
    *, secret: str, user: User | None = None, name: str = "", surname: str = "", password: str = ""
) -> Agent:
    """Makes the holder of the secret an active human agent of the widget: `user`, or a new person with that password.

    `user` is the account of the invited address, whose password was given: an invitation changes nothing of it. An
    agent who was suspended is restored, with the name and the history they had. All of it happens, or nothing.

    Raises NoInvitation, InviteeHasAccount (an account was made since), SEAT_LIMIT_REACHED.
    """
    # It takes a while by intention, so not under the lock.
    hashed = make_password(password) if user is None else ""
    with transaction.atomic():
        found = Invitation.objects.unscoped("found by its secret").with_digest(rules.secret_digest(secret))
        if found is None:
            raise NoInvitation(None)
        seats = lock_seats(found.widget_id)
        invitation = Invitation.objects.for_widget(found.widget_id).for_api().select_for_update().get(pk=found.pk)
        if invitation.status_now != Invitation.Status.PENDING:
            raise NoInvitation(invitation.status_now)
        user = user or _new_user(invitation, name, surname, hashed)
        agent = _seated_agent(invitation, user, seats)
        invitation.status, invitation.agent = Invitation.Status.ACCEPTED, agent
        invitation.save(update_fields=["status", "agent"])
        if invitation.department is not None:
            add_agent(department=invitation.department, agent=agent)
        event = AgentChanged(
            widget_id=agent.widget_id,
            widget_guid=found.widget.guid,
            agent_id=agent.pk,
            is_banned=False,
            changed_fields=("status",),
        )
        bus.publish(event)
    return agent


def _new_user(invitation: Invitation, name: str, surname: str, hashed: str) -> User:
    """A person who may sign in to the console, not to the cabinet."""
    email = User.objects.normalize_email(invitation.email)
    account_id = invitation.widget.account_id
    user = User(email=email, name=name, surname=surname, password=hashed, account_id=account_id)
    with unique_or(InviteeHasAccount, "accounts_user_email"):
        add_user(user=user)
    return user


def _seated_agent(invitation: Invitation, user: User, seats: Seats) -> Agent:
    """The person as an active agent: a new one, or the one they were. An active agent needs no other seat."""
    theirs = Q(user=user) | Q(user=None, email__iexact=user.email)
    rows = Agent.objects.for_widget(invitation.widget_id).filter(theirs, type=Agent.Type.HUMAN)
    agent = rows.order_by(F("user").asc(nulls_last=True), "id").first()
    is_active = agent is not None and agent.status != Agent.Status.BANNED
    if not is_active and not rules.has_free_seat(seats=seats.seats, taken=seats.taken):
        raise SEAT_LIMIT_REACHED()
    if agent is None:
        name = user.name or user.email
        agent = Agent.objects.create(
            widget_id=invitation.widget_id, user=user, name=name, surname=user.surname, email=user.email
        )
        record_event(agent, "invited", invitation_id=invitation.pk)
        return agent
    agent.user = user
    if not is_active:
        agent.status = Agent.Status.ACTIVE
        record_event(agent, "restored", invitation_id=invitation.pk)
    agent.save(update_fields=["user", "status"])
    return agent
