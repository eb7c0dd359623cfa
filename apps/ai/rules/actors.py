"""The author of a change of an assistant: an API token, a person, or the service itself."""

from typing import Literal, NamedTuple


class Actor(NamedTuple):
    """The actor of a change, as the history keeps it. `id` is None for the system."""

    kind: Literal["token", "staff", "system"]
    id: int | None
    name: str


SYSTEM = Actor("system", None, "Parley")
