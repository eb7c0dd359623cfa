"""External operators: made, changed, deleted, and moved through their lifecycle (docs/guides/external-operators.md).

Each write holds the operator's row. An answer to a turn holds the chat's row and the turn's and waits for no
operator's, so that a kill never waits for a reply that waits for it.
"""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from django.db import transaction
from django.utils import timezone

from apps.accounts.actions import IssuedToken, issue_token, revoke_tokens
from apps.accounts.audit.records import record_secret
from apps.accounts.models import ApiToken, User, Widget
from apps.agents.actions import create_machine, set_machine_status, update_profile
from apps.agents.errors import OPERATOR_NOT_VERIFIED, OPERATOR_REVOKED
from apps.agents.models import Agent
from apps.ai.actions.endings import close_turns, drop_events
from apps.ai.errors import INVALID_TRANSITION, NOT_ROTATING, OPERATOR_NOT_REVOKED, ROTATION_UNDER_WAY
from apps.ai.models import AiSettings, ExternalOperator, OperatorHealth, OperatorMove, ReplyToken
from apps.ai.rules import lifecycle
from apps.ai.rules.actors import Actor
from apps.ai.rules.configuration import origin_of
from apps.ai.rules.lifecycle import ROTATING, Action, Fallback, OperatorStanding, OperatorTransition, Refusal
from apps.ai.rules.turn_states import OPEN, PAUSED_ENDS, Ending
from apps.ai.serializers.external_operators import rotation_of
from apps.core.database.changes import save_changed, set_changes
from apps.core.errors import NOT_FOUND

INJECT, ESCALATE = "responder:inject", "responder:escalate"


class Moved(NamedTuple):
    """The result of a move. `secret`: the new one, where it was replaced; shown once."""

    state: str
    secret: str | None = None


@transaction.atomic
def create_external_operator(
    *,
    widget: Widget,
    name: str,
    url: str,
    target: str,
    actor: Actor,
    reply_timeout_sec: int = lifecycle.DEFAULT_REPLY_TIMEOUT_S,
    fallback: str = Fallback.HANDOFF,
    requires_signed_replies: bool = False,
    answers_by_person: bool = False,
    bearer: str | None = None,
) -> ExternalOperator:
    """Makes an external operator, a draft, with its agent row and its secret; `url` was vetted before (`target`)."""
    agent = create_machine(
        widget=widget,
        type_=Agent.Type.WEBHOOK,
        name=name,
        status=Agent.Status.RELAXATION,
        show_in_header=False,
    )
    operator = ExternalOperator.objects.create(
        widget=widget,
        agent=agent,
        url=url,
        target=target,
        secret=lifecycle.new_secret(),
        bearer=bearer or None,
        reply_timeout_sec=reply_timeout_sec,
        fallback=fallback,
        requires_signed_replies=requires_signed_replies,
        answers_by_person=answers_by_person,
    )
    OperatorHealth.objects.create(operator=operator)
    record_move(operator, "create", "", OperatorStanding.DRAFT, actor)
    return operator


@transaction.atomic
def change_external_operator(*, widget_id: int, public_id: Any, changes: Mapping[str, Any], actor: Actor) -> None:
    """Changes what is named: `name`, `url` with its `target` (vetted before), and in the cabinet `bearer`,
    `reply_timeout_sec`, `fallback`, `requires_signed_replies`, `answers_by_person`.

    Another address has to be proved again, and an active operator pauses for it. At another origin the bearer
    credential is forgotten, unless it comes with the address: else a caller who may write an address would have it sent
    there. Raises NOT_FOUND (404); OPERATOR_REVOKED, ROTATION_UNDER_WAY (409).
    """
    operator = locked_operator(widget_id, public_id)
    if operator.standing == OperatorStanding.REVOKED:
        raise OPERATOR_REVOKED()
    if "name" in changes:
        update_profile(widget_id=widget_id, agent_id=operator.agent_id, changes={"name": changes["name"]})
    before = origin_of(operator.target)
    changed = set_changes(operator, {name: value for name, value in changes.items() if name != "name"})
    if "target" in changed:
        if state_of(operator) == ROTATING:
            raise ROTATION_UNDER_WAY()
        operator.verified_at = None
        changed.append("verified_at")
        if "bearer" not in changes and origin_of(operator.target) != before:
            changed += _forget_bearer(operator)
    is_renamed = "name" in changes and changes["name"] != operator.agent.name
    if not changed and not is_renamed:
        return
    save_changed(operator, changed or ["updated_at"])
    record_move(operator, "change", operator.standing, operator.standing, actor, ", ".join(sorted(changes)))
    if "target" in changed and operator.standing == OperatorStanding.ACTIVE:
        _move(operator, Action.PAUSE, actor=actor)


def _forget_bearer(operator: ExternalOperator) -> list[str]:
    """Takes the bearer credential away, if there is one. It is not read: its key may be lost."""
    own = ExternalOperator.objects.for_widget(operator.widget_id).filter(pk=operator.pk)
    if own.filter(bearer__isnull=False).exists():
        operator.bearer = None
        record_secret(operator, "bearer", "forgotten")
        return ["bearer"]
    return []


@transaction.atomic
def delete_external_operator(*, widget_id: int, public_id: Any, actor: Actor) -> None:
    """Takes a revoked operator out of sight; its agent row, chats and messages stay.

    Raises NOT_FOUND (404), OPERATOR_NOT_REVOKED (409).
    """
    operator = locked_operator(widget_id, public_id)
    if operator.standing != OperatorStanding.REVOKED:
        raise OPERATOR_NOT_REVOKED()
    operator.deleted_at = timezone.now()
    save_changed(operator, ["deleted_at"])
    record_move(operator, "delete", operator.standing, operator.standing, actor)


@transaction.atomic
def move_operator(
    *,
    widget_id: int,
    public_id: Any,
    action: Action,
    actor: Actor,
    reason: str = "",
    overlap_s: int = lifecycle.DEFAULT_OVERLAP_S,
) -> Moved:
    """Moves an operator through its lifecycle; a move to the state that it is in changes nothing.

    `kill` and `revoke` have closed every open turn when they return. Raises NOT_FOUND (404), INVALID_TRANSITION,
    OPERATOR_NOT_VERIFIED, ROTATION_UNDER_WAY (409).
    """
    operator = locked_operator(widget_id, public_id)
    return _move(operator, action, actor=actor, reason=reason, overlap_s=overlap_s)


def follow_agent(*, agent_id: int, is_banned: bool, actor: Actor) -> None:
    """Does to an operator what was done to its agent row: a ban kills, the end of one activates.

    Raises OPERATOR_REVOKED, OPERATOR_NOT_VERIFIED (409).
    """
    rows = (
        ExternalOperator.objects.unscoped("read with its widget before")
        .with_rotation()
        .select_related("agent", "widget")
    )
    operator = rows.select_for_update(of=("self",)).filter(agent_id=agent_id).first()
    if operator is None or lifecycle.AGENT_STATUS[operator.standing] == operator.agent.status:
        return
    if is_banned:
        _move(operator, Action.KILL, actor=actor)
    elif operator.standing == OperatorStanding.REVOKED:
        raise OPERATOR_REVOKED()
    else:
        _move(operator, Action.ACTIVATE, actor=actor)


@transaction.atomic
def force_drain(*, widget_id: int, public_id: Any, actor: Actor) -> int:
    """Ends a rotation now: what waits is abandoned, and the old secret is dead; returns how many events were given up.

    Raises NOT_FOUND (404), NOT_ROTATING (409).
    """
    operator = locked_operator(widget_id, public_id)
    if state_of(operator) != ROTATING:
        raise NOT_ROTATING()
    close_turns(operator.turns.all(), ending=Ending.ABANDONED)
    abandoned = drop_events(operator)
    _end_rotation(operator, timezone.now())
    operator.save()
    record_move(operator, "force_drain", ROTATING, operator.standing, actor)
    return abandoned


@transaction.atomic
def issue_reply_token(
    *,
    operator: ExternalOperator,
    escalate: bool = True,
    name: str = "",
    expires_at: datetime | None = None,
    issued_by: User | None = None,
    actor: Actor,
) -> IssuedToken:
    """Issues an API token that replies for this operator alone. Raises OPERATOR_REVOKED (409), and as `issue_token`."""
    locked = locked_operator(operator.widget_id, operator.public_id)
    if locked.standing == OperatorStanding.REVOKED:
        raise OPERATOR_REVOKED()
    issued = issue_token(
        widget=locked.widget,
        scopes=[INJECT, *([ESCALATE] if escalate else [])],
        name=name or locked.agent.name,
        expires_at=expires_at,
        issued_by=issued_by,
    )
    ReplyToken.objects.create(token=issued.token, operator=locked)
    record_move(locked, "issue_token", locked.standing, locked.standing, actor, f"token {issued.token.pk}")
    return issued


def locked_operator(widget_id: int, public_id: Any) -> ExternalOperator:
    """The operator with its agent, locked, a rotation that is over put away. Raises NOT_FOUND (404).

    Locked against rows that refer to it, too: a turn that is being made is there before, or finds it changed.
    """
    rows = ExternalOperator.objects.for_widget(widget_id).select_related("agent", "widget").with_rotation()
    operator = rows.select_for_update(of=("self",)).get_or_404(public_id=public_id)
    if operator.rotation_started_at is not None and state_of(operator) != ROTATING:
        _end_rotation(operator, operator.overlap_ends_at or timezone.now())
        operator.save()
    return operator


def require_switched_on(widget_id: int) -> None:
    """Raises NOT_FOUND (404) where the cabinet has switched a widget's external operators off."""
    if AiSettings.objects.for_widget(widget_id).filter(external_operators_enabled=False).exists():
        raise NOT_FOUND()


def state_of(operator: ExternalOperator) -> str:
    """The state of a row that was read `with_rotation`."""
    return lifecycle.state_of(operator.standing, _rotation_of(operator), timezone.now())


def _rotation_of(operator: ExternalOperator) -> lifecycle.Rotation | None:
    waiting = getattr(operator, "old_undelivered", 0)
    return rotation_of(operator.rotation_started_at, operator.overlap_ends_at, waiting)


def _move(operator: ExternalOperator, action: Action, *, actor: Actor, reason: str = "", overlap_s: int = 0) -> Moved:
    before = state_of(operator)
    undelivered = operator.events.pending().count() if action is Action.ROTATE else 0
    found = lifecycle.move(
        before, action, verified=operator.verified_at is not None, overlap_s=overlap_s, undelivered=undelivered
    )
    if found is None:
        return Moved(before)
    if isinstance(found, Refusal):
        raise _refused(found, before, action)
    now = timezone.now()
    secret = _with_secret(operator, found, now, overlap_s)
    operator.standing = found.standing.value
    after = state_of(operator)
    if after != before:
        operator.state_changed_at = now
    operator.updated_at = now
    operator.save()
    set_machine_status(
        widget_id=operator.widget_id,
        agent_id=operator.agent_id,
        status=Agent.Status(lifecycle.AGENT_STATUS[operator.standing]),
    )
    _stop(operator, action)
    record_move(operator, action.value, before, after, actor, reason)
    return Moved(after, secret)


def _refused(refusal: Refusal, state: str, action: Action) -> Exception:
    if refusal is Refusal.NOT_VERIFIED:
        return OPERATOR_NOT_VERIFIED()
    if refusal is Refusal.ROTATING:
        return ROTATION_UNDER_WAY()
    return INVALID_TRANSITION(state=state, action=action.value)


def _with_secret(operator: ExternalOperator, move: OperatorTransition, now: datetime, overlap_s: int) -> str | None:
    """Does to the secret what the move says; gives the new one."""
    if move.ends_rotation and operator.rotation_started_at is not None:
        _end_rotation(operator, now)
    if move.secret == "erased":  # noqa: S105
        operator.secret = operator.old_secret = operator.bearer = None
        return None
    if move.secret == "stays":  # noqa: S105
        return None
    if move.secret == "overlaps":  # noqa: S105
        operator.old_secret = operator.secret
        operator.rotation_started_at = now
        operator.overlap_ends_at = now + timedelta(seconds=overlap_s)
        # What waits already is signed by the secret of now, which is the old one from here on.
        operator.old_undelivered = operator.events.pending().count()  # type: ignore[attr-defined]
    operator.secret = lifecycle.new_secret()
    operator.secret_version += 1
    return str(operator.secret)


def _end_rotation(operator: ExternalOperator, at: datetime) -> None:
    operator.old_secret = operator.rotation_started_at = operator.overlap_ends_at = None
    operator.state_changed_at = at


def _stop(operator: ExternalOperator, action: Action) -> None:
    """Closes what the move closes: queued turns at a pause, all that is open at the kill switch."""
    if action is Action.PAUSE:
        close_turns(operator.turns.all(), ending=Ending.OPERATOR_STOPPED, states=PAUSED_ENDS)
    if action in (Action.KILL, Action.REVOKE):
        close_turns(operator.turns.all(), ending=Ending.OPERATOR_STOPPED, states=OPEN)
        drop_events(operator)
    if action is Action.REVOKE:
        bound = operator.reply_tokens.values("token_id")
        revoke_tokens(tokens=ApiToken.objects.unscoped("read with its widget before").filter(pk__in=bound))


def record_move(
    operator: ExternalOperator, action: str, from_state: str, to_state: str, actor: Actor, reason: str = ""
) -> None:
    """Notes who did what to an operator, in the transaction that does it."""
    OperatorMove.objects.create(
        operator=operator,
        action=action,
        from_state=from_state,
        to_state=to_state,
        reason=reason,
        actor=actor._asdict(),
    )
