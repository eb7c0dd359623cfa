"""Limits and tables of the configuration: settings, assistants, credentials, alerts (docs/guides/ai.md)."""

from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from typing import NamedTuple
from urllib.parse import urlsplit

# The drivers, and where each calls by default; None: a credential must have a `base_url` of its own.
BASE_URLS: dict[str, str | None] = {
    "openai_compatible": None,
    "openai": "https://api.openai.com/v1",
    "anthropic": "https://api.anthropic.com",
    "gemini": "https://generativelanguage.googleapis.com",
}

MAX_NAME = 120
MAX_PERSONA = 8_000
MAX_SYSTEM_PROMPT = 20_000
MAX_GREETING = 1_000
MAX_TRIGGERS, MAX_TRIGGER = 100, 200
MAX_QUICK_PHRASES, MAX_QUICK_PHRASE = 10, 120
MAX_MODEL = 200
MAX_BASE_URL = 2_048
MAX_KEY = 512
MIN_SIGNING_SECRET, MAX_SIGNING_SECRET = 16, 255
MAX_TEMPERATURE = 2.0
MAX_LINK_HOSTS = 100
DEFAULT_TAKEOVER_S, MIN_TAKEOVER_S, MAX_TAKEOVER_S = 300, 5, 86_400
# The minutes of a person that an answer of AI saves, as reports assume.
DEFAULT_MINUTES_PER_REPLY, MAX_MINUTES_PER_REPLY = 2, 60
MAX_BACKUPS = 3
DEFAULT_TIMEOUT_S, MIN_TIMEOUT_S, MAX_TIMEOUT_S = 20, 5, 300
MIN_CONTEXT_TOKENS, MAX_CONTEXT_TOKENS = 1_024, 10_000_000
# How long a reply may take where no credential's time limit asks for more.
REPLY_S = 45


def reply_seconds(timeouts_s: Iterable[int]) -> int:
    """How long a reply may take: twice the longest time limit of its credentials, and 45 s at least."""
    return max(REPLY_S, 2 * max(timeouts_s, default=0))


class Use(StrEnum):
    """The uses of a credential."""

    ANSWERS = "answers"
    KNOWLEDGE = "knowledge"


def uses_of(for_answers: bool, for_knowledge: bool) -> list[str]:
    """The uses as the API names them."""
    return [use.value for use, is_on in ((Use.ANSWERS, for_answers), (Use.KNOWLEDGE, for_knowledge)) if is_on]


# What an assistant's owner need not name: `effective_escalation_triggers` begins with these.
PLATFORM_TRIGGERS = (
    "позовите оператора",
    "talk to a human",
    "θέλω να μιλήσω με άνθρωπο",
    "mit einem menschen sprechen",
    "hablar con una persona",
    "أريد التحدث مع شخص حقيقي",
    "转人工",
)


def endpoint_of(provider: str, target: str) -> str:
    """The base URL that a credential's calls go to; "" where it has none, and its driver neither."""
    return target or BASE_URLS[provider] or ""


def origin_of(url: str) -> tuple[str, str]:
    """The server that a vetted url leads to: scheme and authority. A credential of it stays there."""
    parts = urlsplit(url)
    return parts.scheme, parts.netloc


class OfflineOutcomeMode(StrEnum):
    """The outcome of a handover while operators are known to be offline."""

    HANDOVER = "handover"
    ANSWER_ONLY = "answer_only"


class Severity(StrEnum):
    """How grave an alert is."""

    WARNING = "warning"
    CRITICAL = "critical"


class AlertCode(StrEnum):
    """The causes of alerts."""

    NOT_CONFIGURED = "not_configured"
    CREDENTIAL_REJECTED = "credential_rejected"
    CREDENTIAL_RATE_LIMITED = "credential_rate_limited"
    PROVIDER_FAILURE = "provider_failure"
    MODEL_GONE = "model_gone"
    BACKUP_USED = "backup_used"
    BUDGET_LOW = "budget_low"
    BUDGET_EXHAUSTED = "budget_exhausted"
    REPLY_LIMIT = "reply_limit"
    UNTRUSTED_HANDOFF = "untrusted_handoff"
    PROMPT_LEAK = "prompt_leak"
    REPLY_FAILED = "reply_failed"
    EXTERNAL_OPERATOR_DEGRADED = "external_operator_degraded"
    EVALUATION_WORSE = "evaluation_worse"


OF_A_CREDENTIAL = (
    AlertCode.CREDENTIAL_REJECTED,
    AlertCode.CREDENTIAL_RATE_LIMITED,
    AlertCode.PROVIDER_FAILURE,
    AlertCode.MODEL_GONE,
)
OF_A_WIDGET = (AlertCode.BACKUP_USED, AlertCode.NOT_CONFIGURED)
"""These end, and those of the credential, once a credential answers again."""

CRITICAL = frozenset(
    {AlertCode.NOT_CONFIGURED, AlertCode.CREDENTIAL_REJECTED, AlertCode.MODEL_GONE, AlertCode.PROMPT_LEAK}
)
OF_BUDGET = frozenset({AlertCode.BUDGET_LOW, AlertCode.BUDGET_EXHAUSTED})
"""A cause that a new day brings anew."""
MAILED = OF_BUDGET | {AlertCode.CREDENTIAL_REJECTED, AlertCode.MODEL_GONE}
"""By these an AI stops until its owner does something: they get a letter."""


def severity_of(code: str) -> Severity:
    """How grave an alert of that code is; of other areas' codes all are warnings."""
    return Severity.CRITICAL if code in CRITICAL else Severity.WARNING


class PersonaCause(StrEnum):
    """Why a version of an assistant's text was made."""

    CREATED = "created"
    TEMPLATE = "template"
    MIGRATED = "migrated"
    EDITED = "edited"
    WISH = "wish"
    CYCLE = "cycle"
    REVERT = "revert"
    ROLLBACK = "rollback"


class PersonaAction(StrEnum):
    """The actions in the history of an assistant's text."""

    CREATED = "created"
    EDITED = "edited"
    WISH_APPROVED = "wish_approved"
    WISH_REVERTED = "wish_reverted"
    TUNED = "tuned"
    REFUSED = "refused"
    REVERTED = "reverted"
    KEPT = "kept"
    ROLLED_BACK = "rolled_back"


ACTION_OF = {
    PersonaCause.CREATED: PersonaAction.CREATED,
    PersonaCause.TEMPLATE: PersonaAction.CREATED,
    PersonaCause.MIGRATED: PersonaAction.CREATED,
    PersonaCause.EDITED: PersonaAction.EDITED,
    PersonaCause.WISH: PersonaAction.WISH_APPROVED,
    PersonaCause.CYCLE: PersonaAction.TUNED,
    PersonaCause.REVERT: PersonaAction.REVERTED,
    PersonaCause.ROLLBACK: PersonaAction.ROLLED_BACK,
}


def effective_triggers(own: Iterable[str]) -> list[str]:
    """The platform's words for asking for a person, then the assistant's own."""
    return list(dict.fromkeys((*PLATFORM_TRIGGERS, *own)))


class BackupLink(NamedTuple):
    """A credential of a widget as the chain of backups sees it."""

    id: int
    backup_id: int | None
    is_active: bool
    provider: str
    model: str


def chain_of(credential_id: int, links: Mapping[int, BackupLink]) -> list[BackupLink]:
    """The backups of a credential in order of use: active ones, at most three; inactive ones are passed over."""
    chain: list[BackupLink] = []
    seen = {credential_id}
    following = links[credential_id].backup_id if credential_id in links else None
    while following is not None and following in links and following not in seen and len(seen) <= MAX_BACKUPS:
        seen.add(following)
        link = links[following]
        if link.is_active:
            chain.append(link)
        following = link.backup_id
    return chain


def backup_refusal(credential_id: int | None, backup_id: int, backups: Mapping[int, int | None]) -> str | None:
    """Why a credential may not have that backup, None if it may. `backups`: the backup of each, by id.

    No cycle, and no more than three links, from any credential of the widget that leads there.
    """
    changed = dict(backups)
    start = 0 if credential_id is None else credential_id
    changed[start] = backup_id
    for first in changed:
        seen: list[int] = []
        following: int | None = first
        while following is not None:
            if following in seen:
                return "That would be a circle of backups."
            seen.append(following)
            following = changed.get(following)
        if len(seen) - 1 > MAX_BACKUPS and start in seen:
            return f"A credential has at most {MAX_BACKUPS} backups behind one another."
    return None


class CredentialCandidate(NamedTuple):
    """A credential that an assistant might use."""

    id: int
    provider: str
    assistant_id: int | None
    operator_id: int | None


def first_credential(
    candidates: Sequence[CredentialCandidate], *, assistant_id: int, operator_id: int | None, provider: str
) -> int | None:
    """The active credential that is used first: the operator's own, else the assistant's, else a widget-wide one.

    Within a level those of the assistant's `provider` come first, then the lowest id.
    """
    levels = (
        [one for one in candidates if operator_id is not None and one.operator_id == operator_id],
        [one for one in candidates if one.assistant_id == assistant_id],
        [one for one in candidates if one.assistant_id is None and one.operator_id is None],
    )
    for level in levels:
        if level:
            return min(level, key=lambda one: (one.provider != provider, one.id)).id
    return None


def model_of(*, assistant_provider: str, assistant_model: str, driver: str, own: str, recommended: str | None) -> str:
    """The model that a credential is asked for; "" if none is named, which makes it unusable.

    The assistant's, if its provider is not set or is the driver; else the credential's; else the driver's recommended.
    """
    if assistant_model and assistant_provider in ("", driver):
        return assistant_model
    return own or recommended or ""
