"""The question about kinds of work that this app asks the apps above, whose questions to models are assists, too."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from apps.core.plugins import HookSet, hooked

if TYPE_CHECKING:
    from apps.assists.actions.kinds import WorkOfKind
    from apps.assists.rules.kinds import AssistKind


@dataclass(frozen=True, slots=True, kw_only=True)
class AssistHooks(HookSet):
    """The answers of an app to this question (its `hooks.py`)."""

    # The kinds of assists that the app does the work of.
    works: Mapping[AssistKind, WorkOfKind] | None = None


def work_elsewhere(kind: AssistKind) -> WorkOfKind | None:
    """The work of a kind that an app above does; None where no app does it."""
    return next((works[kind] for works in hooked(lambda app: app.works, AssistHooks) if kind in works), None)
