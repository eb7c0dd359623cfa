"""The text of an assistant (`persona` and `system_prompt`), whose every change is a version and a line of history."""

from collections.abc import Mapping
from typing import Any

from apps.accounts.audit.trail import acting_token
from apps.accounts.models import ApiToken, User
from apps.ai.events import PersonaRewritten
from apps.ai.models import Assistant, PersonaHistory, PersonaVersion
from apps.ai.rules.actors import SYSTEM, Actor
from apps.ai.rules.configuration import ACTION_OF, PersonaAction, PersonaCause
from apps.core import bus

TEXT = ("persona", "system_prompt")


def token_actor(widget_id: int, token_id: int) -> Actor:
    """The widget's API token, as the one who acts."""
    return Actor("token", token_id, str(ApiToken.objects.for_widget(widget_id).get(pk=token_id)))


def staff_actor(user: User) -> Actor:
    """The actor for a person who signed in to the cabinet."""
    return Actor("staff", user.pk, user.get_full_name() or user.get_username())


def acting(widget_id: int) -> Actor:
    """The actor of another app's action: the API token that it was told of, else the service."""
    token_id = acting_token()
    return SYSTEM if token_id is None else token_actor(widget_id, token_id)


def begin_persona(
    assistant: Assistant, *, actor: Actor, cause: PersonaCause = PersonaCause.CREATED, summary: str = ""
) -> None:
    """Writes the first version of a new assistant's text. Call it in the transaction that makes the assistant."""
    _write(assistant, actor=actor, cause=cause, from_version=None, summary=summary)


def rewrite_persona(
    assistant: Assistant,
    *,
    actor: Actor,
    cause: PersonaCause = PersonaCause.EDITED,
    action: PersonaAction | None = None,
    reason: str = "",
    metrics: Mapping[str, Any] | None = None,
    **version: Any,
) -> PersonaVersion:
    """Makes the text that the caller has set on a locked assistant its next version, saved by the caller.

    Call it where the text has changed, in the transaction that saves it; `version` is what else the version tells
    (`summary`, `restores`, `patch`, `wish_id`, `cycle_id`), `action`, `reason` and `metrics` what its line of history
    does. Raises nothing.
    """
    before = assistant.persona_version
    assistant.persona_version = before + 1
    told = {"action": action, "reason": reason, "metrics": metrics}
    made = _write(assistant, actor=actor, cause=cause, from_version=before, told=told, **version)
    bus.publish(PersonaRewritten(assistant.widget_id, assistant.pk, made.version, cause.value, actor))
    return made


def note_persona(
    assistant_id: int,
    *,
    widget_id: int,
    action: PersonaAction,
    actor: Actor,
    from_version: int | None,
    to_version: int,
    reason: str = "",
    **told: Any,
) -> None:
    """Writes a line of history; `told` are its `patch`, `metrics`, `wish_id` and `cycle_id`."""
    PersonaHistory.objects.create(
        widget_id=widget_id,
        assistant_id=assistant_id,
        action=action.value,
        from_version=from_version,
        to_version=to_version,
        actor=actor._asdict(),
        reason=reason,
        **told,
    )


def _write(
    assistant: Assistant,
    *,
    actor: Actor,
    cause: PersonaCause,
    from_version: int | None,
    told: Mapping[str, Any] | None = None,
    **version: Any,
) -> PersonaVersion:
    made = PersonaVersion.objects.create(
        assistant=assistant,
        version=assistant.persona_version,
        cause=cause.value,
        persona=assistant.persona,
        system_prompt=assistant.system_prompt,
        actor=actor._asdict(),
        **version,
    )
    told = dict(told or {})
    note_persona(
        assistant.pk,
        widget_id=assistant.widget_id,
        action=told.pop("action", None) or ACTION_OF[cause],
        actor=actor,
        from_version=from_version,
        to_version=made.version,
        patch=made.patch,
        wish_id=made.wish_id,
        cycle_id=made.cycle_id,
        **told,
    )
    return made
