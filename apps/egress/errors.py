"""Why an outbound call did not take place or did not finish."""

OUTWARD_TEXT = "The address could not be reached."

# Refusals that no retry can cure: the address itself is the reason.
PERMANENT_REASONS = frozenset({"private_address", "not_https"})


class EgressRefused(Exception):
    """An outbound call was refused or failed.

    `str()` is one and the same text for a blocked, an unresolvable and an unreachable address, so that answers don't
    map a private network; show nothing else to a caller. `reason` is a slug for logs and metrics alone:
    `private_address`, `not_https`, `unresolvable`, `resolver_hangs`, `connect_failed`, `tls`, `timeout`, `too_large`,
    `encoded_body`, `bad_redirect`, `broken_answer`.

    `is_permanent` tells a refusal that no retry can cure (the address is private, plain http is not allowed) from
    a failure that may pass (a timeout, a refused connection, a name that does not resolve just now).
    """

    def __init__(self, reason: str) -> None:
        super().__init__(OUTWARD_TEXT)
        self.reason = reason

    @property
    def is_permanent(self) -> bool:
        return self.reason in PERMANENT_REASONS


class InvalidUrl(EgressRefused):
    """The text is no URL that an outbound call may go to, whatever its host resolves to.

    `str()` says what is wrong with the text, fit for a 422 on the field `url`; it never repeats the text. `reason`
    is a slug: `empty`, `too_long`, `forbidden_character`, `syntax`, `not_https`, `userinfo`, `host`, `port`.
    """

    def __init__(self, reason: str, message: str) -> None:
        super().__init__(reason)
        self.args = (message,)

    @property
    def is_permanent(self) -> bool:
        return True


class LoginRefused(Exception):
    """A server does not let this user in. `code` is SMTP's, 0 by IMAP; `said` are the server's words."""

    def __init__(self, said: str, code: int = 0) -> None:
        super().__init__()
        self.said, self.code = said, code
