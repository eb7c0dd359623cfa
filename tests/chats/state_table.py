"""The chat's state machine as people say it: written apart from the code that it checks."""

TABLE = """
                                                     active   ready    expired  spam
close                                                expired  expired  expired  409
state active                                         active   active   active   active
state ready                                          ready    ready    ready    409
state expired                                        expired  expired  expired  409
state spam                                           spam     spam     spam     409
the visitor writes                                   active   active   active   spam
an agent writes                                      active   active   active   409
sweep: the last message is 7 minutes old or older    expired  expired  expired  spam
sweep: the last message is younger than 7 minutes    active   active   active   spam
"""


def expected() -> dict[tuple[str, str], str]:
    """What (transition, state before) leads to: a state, or "409"."""
    header, *lines = TABLE.strip("\n").splitlines()
    states = header.split()
    return {
        (line[:53].strip(), state): after
        for line in lines
        for state, after in zip(states, line[53:].split(), strict=True)
    }
