"""The refusals of a function in the cage for a document that gives no text."""


class DocumentRefused(Exception):
    """`code` is one of `unreadable, encrypted, no_text, too_much_text, limits_exceeded`; `cause` is for logs."""

    def __init__(self, code: str, cause: str = "") -> None:
        super().__init__(code, cause)
        self.code, self.cause = code, cause
