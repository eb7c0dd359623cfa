"""The event log's codes and texts."""

from collections.abc import Mapping
from typing import Any

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
