"""How many files and connections a process may hold open at once."""

import resource


def allow_all() -> None:
    """Raises the soft limit, which is 1,024 on many systems, to the hard one. Each connection of a client is a file."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
