"""Signing in by a provider of OpenID Connect, where a setting names one (docs/guides/single-sign-on.md).

The authorization code flow with PKCE (OpenID Connect Core 1.0, 3.1; RFC 7636), the provider's addresses by Discovery
1.0, signing out there by RP-Initiated Logout 1.0. The ID token says who it is; where it lacks the address, the name or
the groups, UserInfo (Core 1.0, 5.3) is asked for them. No access token is kept.

A start leaves nothing on the server: what the way back needs is in a signed cookie of the browser.

Owns the talk with the provider. `actions/provided.py` decides what its answer counts for here.
"""

import base64
import hashlib
import json
import logging
import secrets
import time
from collections.abc import Mapping
from typing import Any, NamedTuple
from urllib.parse import quote, urlencode

from django.conf import settings
from django.contrib.auth.backends import BaseBackend, ModelBackend
from django.core import signing
from django.core.checks import CheckMessage, Info, register
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from joserfc import jwk, jwt
from joserfc.errors import JoseError

from apps import egress
from apps.accounts.models import User

logger = logging.getLogger(__name__)

# Signatures of whom the provider's public keys tell: never `none`, nor what the client's own secret signs.
ALGORITHMS = ["RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA"]
LEEWAY_S = 60
# How long somebody may take at the provider, and how long its addresses and keys are believed without asking.
WITHIN_S, KEPT_S = 600, 300
# UserInfo is waited for less: many sign-ins need nothing of it.
CALL_S, USERINFO_S, MAX_BYTES = 10.0, 5.0, 512 * 1024
# The browser's cookie while its person is on the way; the session's note of the ID token by which the provider ends
# its own session.
ON_THE_WAY, ID_TOKEN = "sign-on", "sign_on_id_token"
NAMES = ("given_name", "family_name", "name")


class ProviderAway(Exception):
    """The provider does not answer, or not in order."""


class NotVouchedFor(Exception):
    """The response does not prove the identity of this browser's person; the message says why, for the log."""


class Person(NamedTuple):
    """The person that the provider vouches for. `email` is empty where the token names no address that may count, and
    `groups` None where it says nothing of groups.
    """

    subject: str
    email: str
    name: str
    surname: str
    groups: frozenset[str] | None


class Return(NamedTuple):
    """The person who came back, by which ID token, and where they were going."""

    person: Person
    token: str
    then: str


class PasswordBackend(ModelBackend):
    """Signing in by a password; of owners and superusers alone, where the setting says so."""

    def user_can_authenticate(self, user: Any) -> bool:
        may = super().user_can_authenticate(user)
        return may and (settings.OIDC_PASSWORDS == "all" or user.is_owner or user.is_superuser)


class ProviderBackend(BaseBackend):
    """Signs in people whom the provider let in; they owe no code of ours: asking for one is the provider's."""

    def get_user(self, user_id: int) -> User | None:
        user: User | None = User.objects.filter(pk=user_id, is_active=True).first()
        if user is None or not settings.OIDC_ISSUER:
            return None
        user.by_provider = True
        return user


@register(deploy=True)
def passwords_beside_the_provider(app_configs: Any, **_: Any) -> list[CheckMessage]:
    """accounts.I001: which passwords still open, where people sign in by a provider. A note: it fails nothing."""
    if not settings.OIDC_ISSUER:
        return []
    if settings.OIDC_PASSWORDS == "owners":
        text = "OIDC_ISSUER is set: nobody but owners and superusers signs in by a password (OIDC_PASSWORDS=owners)."
        hint = "This is the default with an issuer. OIDC_PASSWORDS=all lets everybody who has a password go on."
    else:
        text = "OIDC_PASSWORDS=all: people whom the provider no longer lets in can still sign in by a password."
        hint = "OIDC_PASSWORDS=owners, the default with an issuer, leaves passwords to owners and superusers."
    return [Info(text, hint=hint, id="accounts.I001")]


def way_to_provider(*, then: str) -> HttpResponseRedirect:
    """Sends the browser to the provider, with a signed cookie that its return needs within ten minutes; it leads on to
    `then`.

    Raises ProviderAway.
    """
    state, nonce, verifier = (secrets.token_urlsafe(32) for _ in range(3))
    address = _said_by(_metadata(), "authorization_endpoint")
    challenge = base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).rstrip(b"=").decode()
    asked = {
        "response_type": "code",
        "client_id": settings.OIDC_CLIENT_ID,
        "redirect_uri": _back(),
        "scope": settings.OIDC_SCOPES,
        "state": state,
        "nonce": nonce,
        "code_challenge": challenge,
        "code_challenge_method": "S256",
    }
    response = HttpResponseRedirect(f"{address}{'&' if '?' in address else '?'}{urlencode(asked)}")
    response.set_cookie(
        ON_THE_WAY,
        signing.dumps({"state": state, "nonce": nonce, "verifier": verifier, "then": then}, salt=ON_THE_WAY),
        max_age=WITHIN_S,
        path=reverse("signed-on"),
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )
    return response


def without_way(response: HttpResponse) -> HttpResponse:
    """Takes the cookie of the way from the browser: it counts for one return, whatever became of that."""
    response.delete_cookie(ON_THE_WAY, path=reverse("signed-on"), samesite="Lax")
    return response


def come_back(request: HttpRequest) -> Return:
    """The person who came back, as the provider says, in the browser that left. A cookie that is put back leads
    nowhere: the provider takes a code once.

    Raises NotVouchedFor, ProviderAway.
    """
    try:
        note = signing.loads(request.COOKIES.get(ON_THE_WAY, ""), salt=ON_THE_WAY, max_age=WITHIN_S)
    except signing.SignatureExpired as error:
        raise NotVouchedFor("it took too long") from error
    except signing.BadSignature as error:
        raise NotVouchedFor("this browser is not on the way") from error
    if not secrets.compare_digest(note["state"].encode(), request.GET.get("state", "").encode()):
        raise NotVouchedFor("another state than this browser's")
    code = request.GET.get("code", "")
    if not code:
        raise NotVouchedFor(f"the provider refused: {request.GET.get('error', 'no code')[:100]}")
    token, access_token = _tokens_for(code, note["verifier"])
    claims = _claims(token, note["nonce"])
    return Return(_person(_with_userinfo(claims, access_token)), token, note["then"])


def way_to_sign_out(request: HttpRequest, *, then: str) -> str | None:
    """The address at which the provider ends its session too; None for a person who came by a password, for a provider
    that knows no such address, and for one that is away.
    """
    token = request.session.get(ID_TOKEN)
    if token is None or not settings.OIDC_ISSUER:
        return None
    try:
        address = _metadata().get("end_session_endpoint")
    except ProviderAway:
        return None
    if not isinstance(address, str):
        return None
    asked = {
        "id_token_hint": token,
        "client_id": settings.OIDC_CLIENT_ID,
        "post_logout_redirect_uri": settings.PUBLIC_URL + then,
    }
    return f"{address}{'&' if '?' in address else '?'}{urlencode(asked)}"


def _back() -> str:
    return settings.PUBLIC_URL + reverse("signed-on")


def _tokens_for(code: str, verifier: str) -> tuple[str, str]:
    """The ID token, and the access token, which may be empty."""
    body = {"grant_type": "authorization_code", "code": code, "redirect_uri": _back(), "code_verifier": verifier}
    headers, said = {"Content-Type": "application/x-www-form-urlencoded"}, _metadata()
    ways = said.get("token_endpoint_auth_methods_supported")
    if isinstance(ways, list) and "client_secret_post" in ways and "client_secret_basic" not in ways:
        body |= {"client_id": settings.OIDC_CLIENT_ID, "client_secret": settings.OIDC_CLIENT_SECRET}
    else:
        # RFC 6749, 2.3.1: both parts are encoded like a form's before they are joined.
        who = f"{quote(settings.OIDC_CLIENT_ID, safe='')}:{quote(settings.OIDC_CLIENT_SECRET, safe='')}"
        headers["Authorization"] = f"Basic {base64.b64encode(who.encode()).decode()}"
    address = _said_by(said, "token_endpoint")
    status, answer = _called("POST", address, headers=headers, body=urlencode(body).encode())
    if 400 <= status < 500:
        raise NotVouchedFor(f"the code was refused: {str(answer.get('error'))[:100]}")
    access_token = answer.get("access_token")
    return _said_by(answer, "id_token"), access_token if isinstance(access_token, str) else ""


def _claims(token: str, nonce: str) -> dict[str, Any]:
    """The claims of the ID token, after its signature, issuer, audience, time and nonce (Core 1.0, 3.1.3.7)."""
    registry = jwt.JWTClaimsRegistry(
        leeway=LEEWAY_S,
        iss={"essential": True, "value": settings.OIDC_ISSUER},
        aud={"essential": True, "value": settings.OIDC_CLIENT_ID},
        sub={"essential": True},
        exp={"essential": True},
        iat={"essential": True},
        nonce={"essential": True, "value": nonce},
    )
    try:
        read = _read_token(token)
        registry.validate(read)
    except (JoseError, ValueError) as error:
        raise NotVouchedFor(f"the ID token: {type(error).__name__}: {error}") from error
    if read.get("azp", settings.OIDC_CLIENT_ID) != settings.OIDC_CLIENT_ID:
        raise NotVouchedFor("the ID token is for another client")
    return read


def _read_token(token: str) -> dict[str, Any]:
    try:
        return jwt.decode(token, _keys(), algorithms=ALGORITHMS).claims
    except (JoseError, ValueError):
        # Keys change now and then; what is not signed by any known one is read again by those of now.
        _kept.pop((settings.OIDC_ISSUER, "keys"), None)
        return jwt.decode(token, _keys(), algorithms=ALGORITHMS).claims


def _with_userinfo(claims: dict[str, Any], access_token: str) -> dict[str, Any]:
    """The claims, and from UserInfo what the ID token lacks of the address, the name and the groups. The claims alone
    where UserInfo can't be had: the person may be known by their number.
    """
    lacks_email = claims.get("email") is None
    lacks_word = not lacks_email and claims.get("email_verified") is None and not settings.OIDC_TRUST_EMAILS
    lacks_name = all(claims.get(name) is None for name in NAMES)
    lacks_groups = bool(settings.OIDC_ROLES) and claims.get(settings.OIDC_GROUPS_CLAIM) is None
    if not (lacks_email or lacks_word or lacks_name or lacks_groups):
        return claims
    try:
        said = _userinfo(access_token, subject=claims["sub"])
    except ProviderAway as error:
        logger.warning("signing in by the ID token alone: %s", error)
        return claims
    added: set[str] = set(NAMES) if lacks_name else set()
    if lacks_email or (lacks_word and said.get("email") == claims["email"]):
        added |= {"email", "email_verified"}  # the word is of its own address alone
    if lacks_groups:
        added.add(settings.OIDC_GROUPS_CLAIM)
    return claims | {name: said.get(name) for name in added}


def _userinfo(access_token: str, *, subject: str) -> dict[str, Any]:
    """The claims of UserInfo about this person; empty for a provider without UserInfo. Raises ProviderAway."""
    address = _metadata().get("userinfo_endpoint")
    if not isinstance(address, str) or not access_token:
        return {}
    status, said = _called("GET", address, headers={"Authorization": f"Bearer {access_token}"}, timeout=USERINFO_S)
    if status != 200:
        raise ProviderAway(f"{address} answers {status}")
    if said.get("sub") != subject:
        raise ProviderAway(f"{address} tells of somebody else")  # Core 1.0, 5.3.2: none of it may be used
    return said


def _person(claims: Mapping[str, Any]) -> Person:
    is_trusted = settings.OIDC_TRUST_EMAILS or claims.get("email_verified") in (True, "true")
    groups = claims.get(settings.OIDC_GROUPS_CLAIM)
    if isinstance(groups, str):
        groups = [groups]
    elif groups is not None and not isinstance(groups, list):
        logger.warning("the provider's groups are no list", extra={"type": type(groups).__name__})
    return Person(
        subject=f"{settings.OIDC_ISSUER} {claims['sub']}"[:512],
        email=_text(claims, "email") if is_trusted else "",
        name=(_text(claims, "given_name") or _text(claims, "name"))[:255],
        surname=_text(claims, "family_name")[:255],
        groups=frozenset(map(str, groups)) if isinstance(groups, list) else None,
    )


def _text(claims: Mapping[str, Any], name: str) -> str:
    """A claim's text; empty for what is none, or none that can be stored (a NUL, half of a surrogate pair)."""
    value = claims.get(name)
    is_storable = isinstance(value, str) and "\0" not in value and not any("\ud800" <= c <= "\udfff" for c in value)
    return value if is_storable else ""  # type: ignore[return-value]


# What the provider said of itself, and until when that is believed.
_kept: dict[tuple[str, str], tuple[float, Any]] = {}


def _metadata() -> dict[str, Any]:
    def read() -> dict[str, Any]:
        said = _read_json(f"{settings.OIDC_ISSUER.rstrip('/')}/.well-known/openid-configuration")
        if said.get("issuer") != settings.OIDC_ISSUER:
            raise ProviderAway("its document names another issuer")
        return said

    found: dict[str, Any] = _kept_or("metadata", read)
    return found


def _keys() -> jwk.KeySet | jwk.Key:
    """The provider's keys; its only one by itself, where it has no id: then it is the one, whichever a token names
    (Core 1.0, 10.1).
    """

    def read() -> jwk.KeySet | jwk.Key:
        try:
            said = _read_json(_said_by(_metadata(), "jwks_uri"))
            listed = said["keys"]
            if len(listed) == 1 and "kid" not in listed[0]:
                return jwk.import_key(listed[0])
            return jwk.KeySet.import_key_set(said)  # type: ignore[arg-type]
        except (JoseError, ValueError, KeyError, TypeError) as error:
            raise ProviderAway("its keys can't be read") from error

    found: jwk.KeySet | jwk.Key = _kept_or("keys", read)
    return found


def _kept_or(what: str, read: Any) -> Any:
    until, found = _kept.get((settings.OIDC_ISSUER, what), (0.0, None))
    if time.monotonic() >= until:
        found = read()
        _kept[(settings.OIDC_ISSUER, what)] = (time.monotonic() + KEPT_S, found)
    return found


def _read_json(address: str) -> dict[str, Any]:
    status, answer = _called("GET", address)
    if status != 200:
        raise ProviderAway(f"{address} answers {status}")
    return answer


def _called(method: str, address: str, **how: Any) -> tuple[int, dict[str, Any]]:
    headers = {"Accept": "application/json", **how.pop("headers", {})}
    how = {"timeout": CALL_S, **how}
    try:
        with egress.outbound_waits.slot(None):
            answer = egress.fetch(method, address, headers=headers, max_bytes=MAX_BYTES, **how)
        said = json.loads(answer.body)
    except (egress.BulkheadFull, egress.EgressRefused, ValueError, RecursionError) as error:
        raise ProviderAway(f"{address}: {type(error).__name__}") from error
    if answer.status >= 500 or not isinstance(said, dict):
        raise ProviderAway(f"{address} answers {answer.status}")
    return answer.status, said


def _said_by(said: Mapping[str, Any], name: str) -> str:
    value = said.get(name)
    if not isinstance(value, str) or not value:
        raise ProviderAway(f"it names no {name}")
    return value
