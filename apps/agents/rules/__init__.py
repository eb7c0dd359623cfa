"""What an operator may be given to do, seats, and the types of the event log. Pure."""

from collections.abc import Mapping

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


def person_refusal(type_: str | None, status: str | None) -> str | None:
    """Why an operator of that type and status cannot write or be given chats as a person; None when they can."""
    if type_ != "human":
        return "The agent must be a human agent."
    if status == "banned":
        return "The agent is banned."
    return None


def has_free_seat(*, seats: int, taken: int) -> bool:
    """Whether one more human agent may be active: an agent is restored, an invitation accepted."""
    return seats > taken


def may_invite(*, seats: int, taken: int, outstanding: int) -> bool:
    """Whether one more person may be invited: free seats outnumber outstanding invitations ("Agents")."""
    return seats - taken > outstanding
