"""The rules of operators' work, seats, invitations, names, avatars, and the texts of the event log. Pure."""

import hashlib
from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from apps.accounts.rules import random_base62

TYPES = ("human", "ai", "webhook")
ROLES = ("owner", "operator")
STATUSES = ("active", "relaxation", "banned")

# How long an operator counts as online after whoever holds their sockets said so last, in seconds.
PRESENCE_LASTS_S = 45.0

# The event log's types (the contract) and the raw codes that are stored (specification, "Agent").
EVENT_CODES: Mapping[str, int] = {
    "login": 1,
    "logout": 2,
    "online": 3,
    "offline": 4,
    "chat_accepted": 5,
    "chat_assigned": 6,
    "chat_transferred": 7,
    "status_changed": 8,
    "suspended": 9,
    "restored": 10,
    "removed": 11,
    "invited": 12,
    "profile_updated": 13,
}
# What the log says of a code that has no type.
UNKNOWN_EVENT = "unknown"
_TYPES = {code: type_ for type_, code in EVENT_CODES.items()}

# The console's texts, in Russian whoever reads them (specification, "Agent"): for people, and no contract.
_MESSAGES: Mapping[str, str] = {
    "login": "Вход в консоль",
    "logout": "Выход из консоли",
    "online": "На связи",
    "offline": "Не на связи",
    "chat_accepted": "Принят чат",
    "chat_assigned": "Назначен чат",
    "chat_transferred": "Передан чат",
    "status_changed": "Изменён статус",
    "suspended": "Доступ приостановлен",
    "restored": "Доступ восстановлен",
    "removed": "Оператор удалён",
    "invited": "Приглашён в операторы",
    "profile_updated": "Изменён профиль",
}
_STATUS_NAMES = {"active": "активен", "relaxation": "перерыв", "banned": "заблокирован"}

# What an avatar may be as it comes (KB are 1,024 bytes), and the square that it is made to fit into.
MAX_AVATAR_BYTES = 2048 * 1024
AVATAR_SIDE = 512


def event_type(code: int) -> str:
    """The stable slug of a stored code; `unknown` for a code that has none."""
    return _TYPES.get(code, UNKNOWN_EVENT)


def event_message(code: int, details: Mapping[str, Any]) -> str:
    """The text of a line of the log for the console's people; `details` may have a `chat_id` or a `status`."""
    message = _MESSAGES.get(event_type(code), f"Действие с кодом {code}")
    if "chat_id" in details:
        return f"{message} №{details['chat_id']}"
    if status := _STATUS_NAMES.get(details.get("status", "")):
        return f"{message}: {status}"
    return message


def takes_seat(type_: str) -> bool:
    """Whether an operator of that type, when not banned, takes one of the widget's seats."""
    return type_ == "human"


def person_refusal(type_: str | None, status: str | None) -> str | None:
    """Why an operator of that type and status cannot write or be given chats as a person; None when they can."""
    if type_ != "human":
        return "The agent must be a human agent."
    if status == "banned":
        return "The agent is banned."
    return None


def machine_refusal(type_: str | None, status: str | None) -> str | None:
    """Why an operator of that type and status cannot write as an AI or external operator; None when it can."""
    if type_ == "human":
        return "The agent must be an AI operator or an external one."
    if status == "banned":
        return "The agent is retired."
    return None


def has_free_seat(*, seats: int, taken: int) -> bool:
    """Whether one more human agent may be active: an agent is restored, an invitation accepted."""
    return seats > taken


def may_invite(*, seats: int, taken: int, outstanding: int) -> bool:
    """Whether one more person may be invited: free seats outnumber outstanding invitations ("Agents")."""
    return seats - taken > outstanding


INVITATION_STATUSES = ("pending", "accepted", "revoked", "expired")
INVITATION_LIVES = timedelta(days=7)
INVITATIONS_AN_HOUR = 10
SECRET_PREFIX, SECRET_BODY_LENGTH = "inv_", 40


def new_secret() -> str:
    """The end of an invitation's link: `inv_` and 40 random base62 characters."""
    return SECRET_PREFIX + random_base62(SECRET_BODY_LENGTH)


def secret_digest(secret: str) -> bytes:
    """The stored form of a secret: its SHA-256."""
    return hashlib.sha256(secret.encode("utf-8", "replace")).digest()


MAX_NAME = 255
