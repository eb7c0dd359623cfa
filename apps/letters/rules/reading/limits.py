"""The limits of reading; a letter over one of them is not readable (`NotReadable`)."""

MIB = 1024 * 1024
MAX_LETTER_BYTES = 25 * MIB
MAX_HEADER_BYTES = 16 * 1024
MAX_HEADERS_BYTES = 512 * 1024
# Of Content-Type and Content-Disposition so many parameters are read: programs write under ten.
MAX_PARAMETERS, MAX_PARAMETERS_BYTES = 64, 4 * 1024
MAX_LEVELS = 20
MAX_PARTS = 200
# Those of letters within the letter, too: each is an object that the parser keeps.
MAX_PARSED_PARTS = 2_000
MAX_TEXT_BYTES = 2 * MIB
# Patterns run on at most so many characters of a text.
MAX_SCANNED = 200_000
# Of a whole letter as operators see it, so many characters of its text.
MAX_SHOWN = 300_000
# What one message of a letter holds.
MAX_BODY = 10_000
MAX_FILES = 10
MAX_FILE_BYTES = 10 * MIB
# Lines, times parts that may be one in another: the parser asks each open part about each line.
MAX_PARSER_STEPS = 20_000_000


class NotReadable(ValueError):
    """The letter is over a limit of reading, or has no form of a letter; `code` says which."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code
