"""Rules of agents: types, roles, statuses, seats."""

TYPES = ("human", "ai", "webhook")


ROLES = ("owner", "operator")


STATUSES = ("active", "relaxation", "banned")


# How long an operator counts as online after whoever holds their sockets said so last, in seconds.
PRESENCE_LASTS_S = 45.0


# What an avatar may be as it comes (KB are 1,024 bytes), and the square that it is made to fit into.
MAX_AVATAR_BYTES = 2048 * 1024


AVATAR_SIDE = 512


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


MAX_NAME = 255
