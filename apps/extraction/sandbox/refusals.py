"""The refusals of a function in the cage for a document that gives no text."""


class DocumentRefused(Exception):
    """`code` is one of `unreadable, encrypted, no_text, too_much_text, limits_exceeded`; `cause` is for logs.

    `place` is where in the document it lies: "page 3", "sheet Prices, row 12", the name of a part.
    """

    def __init__(self, code: str, cause: str = "", *, place: str = "") -> None:
        super().__init__(code, cause)
        self.code, self.cause, self.place = code, cause, place
