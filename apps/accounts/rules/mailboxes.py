"""E-mail addresses as limits count them."""

_DOTS_ARE_NOTHING = ("gmail.com", "googlemail.com")


def counted_mailbox(mailbox: str) -> str:
    """The mailbox as limits count it: in small letters, without `+tag`, at Google without dots."""
    local, _, domain = mailbox.casefold().rpartition("@")
    local = local.partition("+")[0] or local
    if domain in _DOTS_ARE_NOTHING:
        local, domain = local.replace(".", "") or local, "gmail.com"
    return f"{local}@{domain}"
