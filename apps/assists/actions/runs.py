"""An assist under way: what it is made of, and whom it asks. Each kind's work is given one."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Protocol, TypeVar

from apps.ai.actions.model_calls import Asker
from apps.ai.models import Assistant
from apps.ai.rules.prompts import MAX_OUTPUT_TOKENS, Prompt
from apps.ai.rules.redaction import Redaction
from apps.assists.models import Assist
from apps.assists.rules.json_answers import first_object
from apps.assists.rules.kinds import FailReason
from apps.assists.rules.results import AssistFailed, AssistResult
from apps.chats.models import Chat, ConsoleSettings
from apps.chats.settings import console_settings
from apps.leases import Lease

Read = TypeVar("Read")


@dataclass(kw_only=True)
class AssistRun:
    """One attempt at an assist.

    `show` tells the words so far; it raises what ends the run: the assist was stopped, or the chat went on.
    """

    assist: Assist
    lease: Lease[Assist]
    assistant: Assistant | None
    asker: Asker
    show: Callable[[str], None]
    redaction: Redaction = field(default_factory=Redaction)

    @cached_property
    def asked(self) -> Mapping[str, Any]:
        """The wish: `text`, `to`, and more that its kind keeps."""
        asked: dict[str, Any] = json.loads(self.assist.asked or "{}")
        return asked

    @cached_property
    def chat(self) -> Chat:
        """The chat, with its widget and contact."""
        rows = Chat.objects.for_widget(self.assist.widget_id).select_related("widget", "contact", "department")
        return rows.get(pk=self.assist.chat_id)

    @cached_property
    def settings(self) -> ConsoleSettings:
        return console_settings(self.assist.widget_id)

    def ask(
        self,
        prompt: Prompt,
        *,
        max_tokens: int = MAX_OUTPUT_TOKENS,
        shown: Callable[[str], str] | None = None,
    ) -> str:
        """A model's words. The kind is the purpose. `shown`: what may be shown of the words so far, while they come.

        Raises BudgetExhausted, ProviderFailed, SpentError, and what `show` raises.
        """
        on_text = None if shown is None else lambda words: self.show(shown(words))
        return self.asker.ask(self.assist.kind, prompt, max_tokens=max_tokens, on_text=on_text).text

    def ask_for_json(
        self, prompt: Prompt, read: Callable[[Mapping[str, Any]], Read | None], *, max_tokens: int = MAX_OUTPUT_TOKENS
    ) -> Read:
        """The first JSON object of an answer, as `read` makes it; asked once more where that is nothing.

        Raises AssistFailed (`bad_answer`) where it is nothing again, and as `ask` does.
        """
        for _ in range(2):
            found = first_object(self.ask(prompt, max_tokens=max_tokens))
            if found is not None and (made := read(found)) is not None:
                return made
        raise AssistFailed(FailReason.BAD_ANSWER)


class AssistWork(Protocol):
    """The work of one kind: outside of transactions, it asks and answers the result.

    Raises AssistFailed, and what the calls of models raise.
    """

    def __call__(self, run: AssistRun) -> AssistResult: ...
