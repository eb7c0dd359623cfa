"""Spaces: vectors of one model at one endpoint, which alone can be compared with each other."""

import hashlib


def space_of(provider: str, endpoint: str, model: str) -> str:
    """The short name of a space. Vectors of another length are thrown away when a model begins to make them."""
    return hashlib.sha256("\0".join((provider, endpoint, model)).encode()).hexdigest()[:32]
