"""Spaces: vectors of one model at one endpoint, which alone can be compared with each other."""

import hashlib


def space_of(provider: str, endpoint: str, model: str, dimension: int) -> str:
    """The short name of a space."""
    named = "\0".join((provider, endpoint, model, str(dimension)))
    return hashlib.sha256(named.encode()).hexdigest()[:32]
