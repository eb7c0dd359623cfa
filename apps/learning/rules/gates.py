"""The kill switch: three gates that decide whether an assistant may tune itself (docs/guides/learning.md). Pure."""

from collections.abc import Sequence
from typing import NamedTuple


class Gate(NamedTuple):
    """A gate; `reason` is the first that closes it, None while it is open."""

    name: str
    reason: str | None

    @property
    def open(self) -> bool:
        return self.reason is None


class Facts(NamedTuple):
    """The facts of the gates. Without an assistant the last three do not matter."""

    switched_on: bool
    ai_enabled: bool
    tuning_enabled: bool
    has_assistant: bool
    assistant_enabled: bool = False
    has_credential: bool = False
    on_probation: bool = False


def gates_of(facts: Facts) -> tuple[Gate, Gate, Gate]:
    """The three gates, in their order."""
    platform = () if facts.switched_on else ("switched_off",)
    widget = _first(("ai_disabled", not facts.ai_enabled), ("autonomous_tuning_disabled", not facts.tuning_enabled))
    target = _first(
        ("no_assistant", not facts.has_assistant),
        ("assistant_disabled", not facts.assistant_enabled),
        ("no_credential", not facts.has_credential),
        ("on_probation", facts.on_probation),
    )
    return Gate("platform", platform[0] if platform else None), Gate("widget", widget), Gate("target", target)


def _first(*reasons: tuple[str, bool]) -> str | None:
    return next((reason for reason, holds in reasons if holds), None)


def closed(gates: Sequence[Gate]) -> Gate | None:
    """The first gate that is closed."""
    return next((gate for gate in gates if not gate.open), None)
