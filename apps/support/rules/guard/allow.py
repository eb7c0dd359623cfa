"""The owner's links, exactly: all others are refused (specification: "Support agents", reply rule 3)."""

import re
from dataclasses import dataclass, field

import idna

from apps.ai.rules.links import Token

# A path up to which every linkifier reads alike: letters, digits and what RFC 3986 has in a path, a query and a
# fragment, but brackets and quotes, at which some end; and no two of `?!,;.` side by side, at which others do.
_PATH = r"(?:/(?:[\w\-~%&=+$*@:/#]|[?!,;.](?![?!,;.]))*)?"
_WEB = re.compile(rf"(?:https://)?(?P<host>[\w\-]+(?:\.[\w\-]+)+)(?P<path>{_PATH})", re.IGNORECASE)
_APP_STORE = re.compile(r"(?:/[a-z]{2})?/app(?:/[\w\-%.~]+)?/id(?P<id>[0-9]+)")
_PLAY = re.compile(
    r"/store/apps/details\?id=(?P<package>[\w.]+)(?:&hl=[A-Za-z]{2,3}(?:[_\-][A-Za-z0-9]{2,4})?)?(?:&gl=[A-Za-z]{2})?"
)


@dataclass(frozen=True)
class Catalogue:
    """The links that the owner of a widget lets agents send, and the mailboxes of the customer of one chat.

    hosts and handles: names alone (`shop.example`, `shop_help`). links: whole addresses that begin with `https://`.
    app_store_id, play_package: empty where there is no app. customer_emails is never shown to an agent.
    """

    hosts: tuple[str, ...] = ()
    links: tuple[str, ...] = ()
    app_store_id: str = ""
    play_package: str = ""
    ipv4: tuple[str, ...] = ()
    handles: tuple[str, ...] = ()
    emails: tuple[str, ...] = ()
    customer_emails: tuple[str, ...] = ()
    _hosts: frozenset[str] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_hosts", frozenset(map(host_key, self.hosts)))

    def allows(self, token: Token) -> bool:
        """Whether the token of the text as it stands is one of them."""
        match token.kind:
            case "email":
                return token.text.lower() in {box.lower() for box in self.emails + self.customer_emails}
            case "handle":
                return self._is_handle(token.text[1:])
            case "ipv4":
                return token.text in self.ipv4
            case "url" | "www" | "domain":
                return self._is_link(token.text)
        return False

    def _is_handle(self, name: str) -> bool:
        return name.lower() in {handle.lower() for handle in self.handles}

    def _is_link(self, text: str) -> bool:
        if text in self.links or f"https://{text}" in self.links:
            return True
        if (web := _WEB.fullmatch(text)) is None:
            return False
        host, path = host_key(web["host"]), web["path"]
        if host in self._hosts:
            return True
        if host == "t.me":
            return self._is_handle(path[1:])
        if host == "apps.apple.com" and self.app_store_id:
            app = _APP_STORE.fullmatch(path)
            return app is not None and app["id"] == self.app_store_id.removeprefix("id")
        if host == "play.google.com" and self.play_package:
            package = _PLAY.fullmatch(path)
            return package is not None and package["package"] == self.play_package
        return False


def host_key(host: str) -> str:
    """A host as it is compared: in small letters, as ASCII; as it stands where that can't be."""
    host = host.lower()
    try:
        return host if host.isascii() else idna.encode(host).decode()
    except idna.IDNAError:
        return host
