"""What an operator may be given to do. Pure."""


def person_refusal(type_: str | None, status: str | None) -> str | None:
    """Why an operator of that type and status cannot write or be given chats as a person; None when they can."""
    if type_ != "human":
        return "The agent must be a human agent."
    if status == "banned":
        return "The agent is banned."
    return None
