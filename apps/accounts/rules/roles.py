"""Roles of an account's people, and the acts that each allows."""

from collections.abc import Iterable, Mapping

# What somebody may do in the cabinet of their account; each may what those after it may.
OWNER, MANAGER, VIEWER = "owner", "manager", "viewer"
_RANKS: Mapping[str, int] = {OWNER: 3, MANAGER: 2, VIEWER: 1}


def reaches(role: str, least: str) -> bool:
    """Whether a role may what `least` may. A role that is not known may nothing."""
    return _RANKS.get(role, 0) >= _RANKS[least]


def is_owner(*, role: str, is_staff: bool, is_active: bool) -> bool:
    """Whether the person can act as an owner of their account, now."""
    return role == OWNER and is_staff and is_active


def role_by_groups(groups: Iterable[str] | None, roles: Mapping[str, str]) -> str | None:
    """The strongest role that the members of any of those groups have; None without one."""
    found = [roles[group] for group in groups or () if group in roles]
    return max(found, key=_RANKS.__getitem__, default=None)
